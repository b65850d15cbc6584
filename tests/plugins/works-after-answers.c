/*
 * Takes its process over and speaks with the host itself: it takes the first action at once, works after each answer while others think,
 * and waits in `deal_start` without working, so that in all it uses less processor time than its calls take.
 */
#define BOT_ID "works-after-answers"
#define BOT_DOES "Answers at once and works afterwards"
#define BOT_BLOCK_START
#include "tries.h"
#include "faulty.h"
#include "uses.h"

enum { REQUESTS = 3, REPLIES = 4, DEAL_START = 3, ACT = 4, DONE = 102, CHOICE = 103 };

struct head {
    uint32_t size, kind;
    uint64_t number;
};

static void get(void *into, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t count = read(REQUESTS, (char *)into + have, size - have);
        if (count <= 0) _exit(0);
        have += (size_t)count;
    }
}

static void done(uint64_t number)
{
    struct head head = {0, DONE, number};
    if (write(REPLIES, &head, sizeof head) < 0) _exit(1);
}

static void choose_first(uint64_t number)
{
    struct {
        struct head head;
        uint32_t action, reserved;
        int64_t amount;
    } frame = {{16, CHOICE, number}, 0, 0, 0};
    if (write(REPLIES, &frame, sizeof frame) < 0) _exit(1);
}

static hattari_status block_start(hattari_bot *header, const hattari_block_info *info)
{
    static char body[1 << 20];
    struct head head;
    (void)header;
    (void)info;
    done(1);
    for (;;) {
        get(&head, sizeof head);
        if (sizeof body < head.size) _exit(2);
        get(body, head.size);
        if (head.kind == DEAL_START) wait_for(100);
        if (head.kind == ACT) {
            choose_first(head.number);
            use(60);
        } else {
            done(head.number);
        }
    }
}

static hattari_status misbehave(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    (void)decision;
    (void)choice;
    return HATTARI_OK;
}
