#define BOT_ID "floods-numbers"
#define BOT_DOES "Logs many numbers with invalid names and values"
#define BOT_CREATE(it, host) numbers_of(host)
#include "hattari_daihinmin.h"

#include <math.h>

static const hattari_host *own_host;
static const hattari_numbers_service *numbers;

static void numbers_of(const hattari_host *host)
{
    own_host = host;
    numbers = (const hattari_numbers_service *)host->get_service(host, HATTARI_SERVICE_NUMBERS);
}

#include "faulty.h"

static hattari_status log_number(const char *name, size_t length, double number)
{
    hattari_text text = {name, length};
    return numbers->log(own_host, text, number);
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    static char name[100000];
    uint32_t number;
    (void)decision;
    (void)choice;
    if (!numbers) return escaped(it, "the host has no service for numbers");
    memset(name, 'n', sizeof name);
    if (log_number(name, sizeof name, 1) >= 0) return escaped(it, "a long name");
    if (log_number("win", 3, NAN) >= 0 || log_number("win", 3, INFINITY) >= 0) return escaped(it, "no finite number");
    if (log_number(NULL, 0, 1) >= 0 || log_number("a\0b", 3, 1) >= 0) return escaped(it, "an invalid name");
    for (number = 0; number < 2000; number++) {
        int length = snprintf(name, sizeof name, "n%02u", number);
        hattari_status status = log_number(name, (size_t)length, number / 2.0);
        if ((status >= 0) != (number < 16)) return escaped(it, "another count of names than 16");
    }
    return HATTARI_OK;
}
