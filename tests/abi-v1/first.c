/*
 * A bot of the first release: built with the headers beside it, which never change, and loaded by every later host.
 * It plays at random and uses all that the first release offered.
 */
#include "hattari_daihinmin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bot {
    hattari_bot header;
    const hattari_host *host;
    const hattari_log_service *log;
    const hattari_clock_service *clock;
    const hattari_rng_service *rng;
    uint32_t players; /* of the block, 0 before it starts */
    uint32_t deals;   /* finished */
    char error[128];
} bot;

static hattari_status fail(bot *it, hattari_status status, const char *why)
{
    snprintf(it->error, sizeof it->error, "%s", why);
    return status;
}

static void write_log(const bot *it, int32_t level, const char *words)
{
    hattari_text text;
    text.ptr = words;
    text.len = strlen(words);
    if (it->log != NULL)
        it->log->write(it->host, level, text);
}

static hattari_status block_start(hattari_bot *self, const hattari_block_info *info)
{
    bot *it = (bot *)self;
    char words[128];
    if (info->struct_size < sizeof *info)
        return fail(it, HATTARI_E_FAIL, "block info is too short");
    if (info->game.len != strlen(HATTARI_DAIHINMIN_GAME) ||
        memcmp(info->game.ptr, HATTARI_DAIHINMIN_GAME, strlen(HATTARI_DAIHINMIN_GAME)) != 0)
        return fail(it, HATTARI_E_UNSUPPORTED, "this bot plays " HATTARI_DAIHINMIN_GAME " only");
    if (info->player >= info->players || info->options_json.len == 0)
        return fail(it, HATTARI_E_FAIL, "block info makes no sense");
    it->players = info->players;
    snprintf(words, sizeof words, "block of %u deals", (unsigned)info->deals);
    write_log(it, HATTARI_LOG_DEBUG, words);
    return HATTARI_OK;
}

static hattari_status deal_start(hattari_bot *self, const hattari_deal_info *info)
{
    const hattari_daihinmin_view *view = (const hattari_daihinmin_view *)info->view;
    if (info->struct_size < sizeof *info || info->view_size < sizeof *view || view->size != info->view_size)
        return fail((bot *)self, HATTARI_E_FAIL, "deal info is too short");
    if (view->hand == 0 || (view->hand & view->gone) != 0)
        return fail((bot *)self, HATTARI_E_FAIL, "the hand makes no sense");
    return HATTARI_OK;
}

static hattari_status act(hattari_bot *self, const hattari_decision *decision, hattari_choice *choice)
{
    bot *it = (bot *)self;
    const hattari_daihinmin_view *view = hattari_daihinmin_view_of(decision);
    uint64_t random = 0;
    uint32_t i;
    if (decision->struct_size < sizeof *decision || choice->struct_size < sizeof *choice ||
        decision->view_size < sizeof *view || decision->action_stride < sizeof(hattari_daihinmin_action))
        return fail(it, HATTARI_E_FAIL, "the decision is too short");
    if (it->clock != NULL && it->clock->time_left_us(it->host) < 0)
        return fail(it, HATTARI_E_STOPPED, "no time left");
    for (i = 0; i < decision->action_count; i++) {
        if ((hattari_daihinmin_action_at(decision, i)->cards & ~view->hand) != 0)
            return fail(it, HATTARI_E_FAIL, "an action takes cards that are not in the hand");
    }
    for (i = 0; i < decision->history_count; i++) {
        if (hattari_daihinmin_event_at(decision->history, decision->history_stride, i)->seat >= it->players)
            return fail(it, HATTARI_E_FAIL, "an event of a seat that is none");
    }
    if (it->rng != NULL)
        it->rng->fill(it->host, &random, 1);
    choice->action = (uint32_t)(random % decision->action_count);
    choice->amount = 0;
    return HATTARI_OK;
}

static hattari_status deal_end(hattari_bot *self, const hattari_deal_result *result)
{
    bot *it = (bot *)self;
    const hattari_daihinmin_view *view = (const hattari_daihinmin_view *)result->view;
    if (result->struct_size < sizeof *result || result->payoff_count != it->players)
        return fail(it, HATTARI_E_FAIL, "the result makes no sense");
    if (view->phase != HATTARI_DAIHINMIN_PHASE_OVER)
        return fail(it, HATTARI_E_FAIL, "the deal is not over");
    it->deals++;
    return HATTARI_OK;
}

static const void *get_extension(const hattari_bot *self, const char *extension_id)
{
    (void)self;
    (void)extension_id;
    return NULL;
}

static hattari_text last_error(const hattari_bot *self)
{
    hattari_text text;
    text.ptr = ((const bot *)self)->error;
    text.len = strlen(text.ptr);
    return text;
}

static void destroy(hattari_bot *self)
{
    free(self);
}

static const hattari_bot_functions functions = {
    block_start, deal_start, act, deal_end, get_extension, last_error, destroy,
};

static const char *const games[] = {HATTARI_DAIHINMIN_GAME, NULL};

static const hattari_bot_descriptor descriptor = {
    sizeof descriptor, 0, "first", "1.0.0", "Hattari", "MIT OR Apache-2.0", "Plays at random, since the first release",
    games, NULL,
};

static uint32_t count(void)
{
    return 1;
}

static const hattari_bot_descriptor *descriptor_at(uint32_t index)
{
    return index == 0 ? &descriptor : NULL;
}

static hattari_status create(const char *bot_id, const hattari_host *host, hattari_text config_json,
                             char *error, uint32_t error_capacity, hattari_bot **out)
{
    bot *it;
    *out = NULL;
    if (strcmp(bot_id, "first") != 0 || host->struct_size < sizeof *host || config_json.len > 2) {
        if (error_capacity > 0)
            snprintf(error, error_capacity, "there is one bot, `first`, without a config");
        return HATTARI_E_CONFIG;
    }
    it = (bot *)calloc(1, sizeof *it);
    if (it == NULL)
        return HATTARI_E_NOMEM;
    it->header.functions = &functions;
    it->host = host;
    if (host->get_service != NULL) {
        it->log = (const hattari_log_service *)host->get_service(host, HATTARI_SERVICE_LOG);
        it->clock = (const hattari_clock_service *)host->get_service(host, HATTARI_SERVICE_CLOCK);
        it->rng = (const hattari_rng_service *)host->get_service(host, HATTARI_SERVICE_RNG);
    }
    *out = &it->header;
    return HATTARI_OK;
}

static const hattari_bot_factory factory = {count, descriptor_at, create};

static hattari_status init(const char *library_path)
{
    (void)library_path;
    return HATTARI_OK;
}

static const void *get_factory(const char *factory_id)
{
    return strcmp(factory_id, HATTARI_FACTORY_BOTS) == 0 ? &factory : NULL;
}

const hattari_library_entry hattari_entry = {
    sizeof hattari_entry, HATTARI_ABI_MAJOR, HATTARI_ABI_MINOR, 0, init, get_factory,
};
