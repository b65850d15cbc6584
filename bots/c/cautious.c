/*
 * cautious: a daihinmin bot in plain C, with an explanation of everything that such a bot has to do.
 *
 * Build it from the root of the repository. You need only a C compiler:
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include \
 *         -o bots/c/libcautious.so bots/c/cautious.c
 *
 * How it plays. It counts turns: the number of plays that its hand still needs. A group or a sequence is one play. A
 * play is good if it saves a turn and uses no strong cards. The bot does not break up groups to follow a single. While
 * no opponent is about to go out, it keeps twos, the joker and eights, and passes instead. It also counts cards: a play
 * that no unseen card can beat certainly wins the trick. If all of its plays except one are certain, it plays them.
 *
 * Read this file from the top: first the declaration of the bot; then the strategy, which uses only cards; last the
 * functions that hattari_bot.h calls. That header contains the interface between a host and a library.
 */
#include "hattari_daihinmin.h"

/* The data of the bot during a block, and its description for the host. hattari_bot.h creates a library from them. */
typedef struct bot {
    const hattari_host *host;
    const hattari_log_service *log; /* null if the host has no log */
} bot;

#define HATTARI_BOT_ID "cautious" /* the name in leagues */
#define HATTARI_BOT_VERSION "1.0.0"
#define HATTARI_BOT_ABOUT "Plays what saves turns, breaks up no groups, keeps strong cards until the end"
#define HATTARI_BOT_AUTHOR "Hattari"
#define HATTARI_BOT_LICENSE "MIT OR Apache-2.0"
#define HATTARI_BOT_GAME HATTARI_DAIHINMIN_GAME
#define HATTARI_BOT_VIEW hattari_daihinmin_view
#define HATTARI_BOT_ACTION hattari_daihinmin_action
#define HATTARI_BOT_STATE bot
#include "hattari_bot.h"

/* ------------------------------------------------------------------------------------------------ cards
 *
 * A set of cards is a 64-bit number. Card number n is bit n, and n is 4 times its column plus its suit. The four cards
 * of a rank are therefore neighbours: a shift to the right by 4 times the column moves this rank to the lowest four
 * bits.
 */

#define COLUMNS 14 /* columns 1 to 13 are the ranks; 0 is only for a joker below the threes */
#define SUITS 4
#define ONE_SUIT UINT64_C(0x0011111111111110) /* the cards of suit 0 in columns 1 to 13 */

/*
 * Returns the number of cards in a set. `set - 1` clears the lowest bit and sets all bits below it, so `&` with it removes
 * the lowest card. The loop runs once per card. Compilers have an instruction for this, but C11 has no name for it.
 */
static int count_cards(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/*
 * Returns the number of cards of one rank in a set, without the joker. The joker is bit 60, which is above all columns
 * (it would be column 15), so it is not counted.
 */
static int count_rank(uint64_t set, int column)
{
    return count_cards((set >> (4 * column)) & 0xf);
}

/* Returns 1 if a set contains a card. */
static int has_card(uint64_t set, int column, int suit)
{
    return (set >> (4 * column + suit)) & 1;
}

/* Returns true if a set contains the joker. It has its own bit, no matter which card it replaces on the table. */
static int has_joker(uint64_t set)
{
    return (set & HATTARI_DAIHINMIN_JOKER_SET) != 0;
}

/*
 * Returns true if the order of ranks is reversed now: by a revolution, or by an eleven-back until the end of the trick. If
 * both are active, they cancel out.
 */
static int is_turned(const hattari_daihinmin_view *view)
{
    return view->revolution != view->eleven_back;
}

/*
 * Returns the strength of a column, 1 to 13, in the current order of ranks: threes are 1 and twos 13, or the reverse.
 * The bot compares strengths instead of columns, so it also plays correctly during a revolution.
 */
static int strength(int column, int turned)
{
    return turned ? COLUMNS - column : column;
}

/* ------------------------------------------------------------------------------------------------ hands
 *
 * Two questions about a hand decide most games: how many turns do I still need, and in how many of them can I be
 * beaten? The first is `turns_of`, the second `losers_of`. Both are estimates that take a few hundred nanoseconds. A
 * stronger bot would search here, but a league makes a few hundred thousand decisions per second.
 */

/*
 * Returns an estimate of the number of plays that a hand needs. Every rank is one play, because its cards are played as
 * a group. A sequence saves plays if it contains cards that would have to be played alone. The joker is added to
 * another play and costs nothing, unless it is the only card.
 */
static int turns_of(uint64_t hand)
{
    int column, suit, turns = 0;
    uint64_t rest = hand & HATTARI_DAIHINMIN_SUITED;
    if (rest == 0)
        return has_joker(hand);
    /* Sequences first, suit by suit: their cards are removed from `rest` before the ranks are counted. */
    for (suit = 0; suit < SUITS; suit++) {
        uint64_t cards = rest & (ONE_SUIT << suit);
        int start = 1;
        /*
         * Cards of a suit are 4 bits apart, so this expression keeps the first card of every three in sequence. Most
         * suits have none and need no loop. A bot calls this function for every legal play: such a test pays.
         */
        if ((cards & (cards >> 4) & (cards >> 8)) == 0)
            continue;
        while (start < COLUMNS) {
            /*
             * The run of cards of this suit from `start` on, and the number of them that are alone in their rank.
             */
            int end = start, alone = 0;
            for (; end < COLUMNS && has_card(rest, end, suit); end++)
                alone += count_rank(rest, end) == 1;
            /*
             * The sequence is one turn. Without it, each card that is alone in its rank would need one; the others
             * would be played with their rank anyway. A sequence therefore saves turns from two lone cards on.
             */
            if (end - start >= 3 && alone >= 2) {
                turns++;
                for (column = start; column < end; column++)
                    rest &= ~(UINT64_C(1) << (4 * column + suit));
            }
            /* The card at `end` is missing, so the next run cannot start before the one after it. */
            start = end + 1;
        }
    }
    /* The other cards are played rank by rank. After two shifts, the lowest bit of a rank is set if it has a card. */
    rest |= rest >> 1;
    rest |= rest >> 2;
    return turns + count_cards(rest & ONE_SUIT);
}

/*
 * Returns 1 if unseen cards could beat `size` cards of a rank. The result can be 1 although no opponent holds these
 * cards together, but 0 is certain.
 */
static int can_be_beaten(uint64_t unseen, int column, int size, int suits, int locked, int turned)
{
    int other, jokers = has_joker(unseen);
    /* A lone joker beats every single, even under a lock. */
    if (size == 1 && jokers)
        return 1;
    for (other = 1; other < COLUMNS; other++) {
        uint64_t rank = (unseen >> (4 * other)) & 0xf;
        /* Only a higher rank beats a play. */
        if (strength(other, turned) <= strength(column, turned))
            continue;
        /* A lock leaves only these suits, and each of them is needed. */
        if (locked)
            rank &= (uint64_t)suits;
        /* The joker can replace one card of a group. */
        if (count_cards(rank) + jokers >= size)
            return 1;
    }
    return 0;
}

/* Returns 1 if a play certainly wins its trick: it ends the trick itself, or no unseen card can beat it. */
static int is_sure(const hattari_daihinmin_action *action, const hattari_daihinmin_view *view, uint64_t unseen)
{
    int turned = is_turned(view);
    int locked = view->lock || (action->effects & HATTARI_DAIHINMIN_EFFECTS_LOCK) != 0;
    /*
     * An eight clears the trick, and so does the three of spades on the joker. The host has already set this effect.
     */
    if (action->effects & HATTARI_DAIHINMIN_EFFECTS_CUT)
        return 1;
    /* The play itself may reverse the order of ranks; then lower ranks beat it. */
    if (action->effects & HATTARI_DAIHINMIN_EFFECTS_REVOLUTION)
        turned = !turned;
    if (action->kind == HATTARI_DAIHINMIN_KIND_SEQUENCE) {
        /*
         * An answer has the same number of cards and is above all of ours, so there must be three ranks above the
         * highest card. Sequences of four or more cards are assumed to be certain, because they are hardly ever beaten.
         */
        int top = strength(action->column, turned);
        if (!turned)
            top += action->count - 1;
        return action->count >= 4 || top + 3 > COLUMNS;
    }
    /* A lone joker is beaten only by the three of spades. */
    if (action->kind == HATTARI_DAIHINMIN_KIND_SINGLE && has_joker(action->cards))
        return (unseen & HATTARI_DAIHINMIN_SPADE_3) == 0;
    return !can_be_beaten(unseen, action->column, action->count, action->suits, locked, turned);
}

/*
 * Returns the number of groups of a hand that would not certainly win if they were led. Every certain one keeps the
 * lead, so a hand with at most one loser wins: the certain groups are played first and the loser last. Sequences are
 * ignored, so the result may be too high. Eights always win their trick.
 */
static int losers_of(uint64_t hand, uint64_t unseen, int turned)
{
    int column, losers = 0;
    for (column = 1; column < COLUMNS; column++) {
        int size = count_rank(hand, column);
        if (size > 0 && column != (int)HATTARI_DAIHINMIN_COLUMN_8)
            losers += can_be_beaten(unseen, column, size, 0, 0, turned);
    }
    return losers;
}

/* ------------------------------------------------------------------------------------------------ the decision
 *
 * Every action gets a value, and the action with the highest value is taken. The numbers below are guesses that did
 * well in a league. To improve them, change one, build, play both versions in a league, and read the report.
 */

/*
 * Returns the value of keeping the cards of a play for later. Cards up to the tens are worth nothing, because they win
 * no trick. Above, the value is the square of the distance, because the highest ranks win far more often than those just
 * below them. Eights always win the lead, and the joker fits any play.
 */
static int price_of(const hattari_daihinmin_action *action, int turned)
{
    int column, price = 0;
    for (column = 1; column < COLUMNS; column++) {
        int above = strength(column, turned) - 8;
        if (above > 0)
            price += above * above * count_rank(action->cards, column);
    }
    if (count_rank(action->cards, (int)HATTARI_DAIHINMIN_COLUMN_8) > 0)
        price += 6;
    return price + 30 * has_joker(action->cards);
}

/* Returns the smallest number of cards of an opponent. Seats without cards are not counted. */
static int fewest_cards(const hattari_daihinmin_view *view)
{
    int seat, fewest = 99;
    for (seat = 0; seat < (int)HATTARI_DAIHINMIN_PLAYERS; seat++) {
        int left = view->cards_left[seat];
        if (seat != view->seat && left > 0 && left < fewest)
            fewest = left;
    }
    return fewest;
}

/*
 * Returns true if the play on the table is mine and all others have passed. By the rules of the contest, I get another
 * turn and could beat my own play. A pass is better: it clears the table and gives me the lead.
 */
static int owns_trick(const hattari_daihinmin_view *view)
{
    int everyone = (1 << HATTARI_DAIHINMIN_PLAYERS) - 1;
    int waiting = everyone & ~(view->passed | view->out | (1 << view->seat));
    return view->table_seat == view->seat && waiting == 0;
}

/* Returns the value of a play; that of a pass is 0. */
static int worth_of(const hattari_daihinmin_action *action, const hattari_daihinmin_view *view)
{
    uint64_t rest = view->hand & ~action->cards;
    uint64_t unseen = HATTARI_DAIHINMIN_PACK & ~view->hand & ~view->gone;
    int turned = is_turned(view), leads = view->table_seat == HATTARI_DAIHINMIN_NONE;
    int sure = is_sure(action, view, unseen);
    int saved = turns_of(view->hand) - turns_of(rest);
    int worth;

    /* The last cards: nothing is better. */
    if (rest == 0)
        return 10000;
    /*
     * I have the lead after this play and win from there. Among several such plays, the best saves the most turns.
     */
    if (sure && losers_of(rest, unseen, turned) <= 1)
        return 5000 + 100 * saved - price_of(action, turned);

    /* Saved turns count most, the number of cards counts a little, and strong cards are worth keeping. */
    worth = 30 * saved + 2 * action->count - price_of(action, turned);
    if (leads) {
        /*
         * Use the lead for the weakest cards, because they never win a trick themselves.
         */
        worth += 40 + 3 * (COLUMNS - strength(action->column, turned));
    } else if (sure) {
        /* Winning the lead has a value. */
        worth += 15;
    }
    /*
     * If an opponent is about to go out, cards that I keep are likely to be lost, so every play is worth more. When I
     * lead, I play what this opponent can hardly answer: more cards than it holds, or else high cards.
     */
    if (fewest_cards(view) <= 2) {
        worth += 25;
        if (leads && action->count <= 2 && fewest_cards(view) >= action->count)
            worth += 4 * strength(action->column, turned) - 30;
    }
    return worth;
}

/*
 * Returns the index of the action to take. The host lists only legal actions, so a bot does not need to know the rules,
 * only which actions are good. Among equal ones the first is taken, so that every run plays in the same way.
 */
static uint32_t best_of(const hattari_daihinmin_view *view, const hattari_decision *decision)
{
    uint32_t i, best = 0;
    int best_worth = -100000;
    for (i = 0; i < decision->action_count; i++) {
        const hattari_daihinmin_action *action = hattari_daihinmin_action_at(decision, i);
        int worth;
        /* The size of a record can differ from that of the struct, so use the function above instead of indexing. */
        if (action->kind == HATTARI_DAIHINMIN_KIND_PASS)
            worth = owns_trick(view) ? 1000 : 0;
        else if (action->kind == HATTARI_DAIHINMIN_KIND_GIVE)
            /*
             * The exchange is a decision like any other, with gifts as actions. The best gift leaves the hand with the
             * fewest turns and the strongest cards. Every deal starts without a revolution, so the order of ranks
             * is not reversed.
             */
            worth = -20 * turns_of(view->hand & ~action->cards) - price_of(action, 0) - action->column;
        else
            worth = worth_of(action, view);
        if (worth > best_worth) {
            best_worth = worth;
            best = i;
        }
    }
    return best;
}

/* ------------------------------------------------------------------------------------------------ the bot
 *
 * The functions that hattari_bot.h calls. A bot without data and host services needs only `decide`, as in template.c.
 */

/* Writes to the host's log, if there is one. Texts contain their length and need no zero at the end. */
static void write_log(const bot *it, int32_t level, const char *words)
{
    hattari_text text;
    text.ptr = words;
    text.len = strlen(words);
    if (it->log != NULL)
        it->log->write(it->host, level, text);
}

/* Called at the start of a block. Requests the host's services, each of which may be missing. */
static const char *begin(bot *it, const hattari_host *host)
{
    it->host = host;
    it->log = (const hattari_log_service *)hattari_bot_service(host, HATTARI_SERVICE_LOG);
    write_log(it, HATTARI_LOG_DEBUG, "ready");
    return NULL;
}

/* Called for every decision. The view contains all information of the seat. The choice is the index of an action. */
static const char *act(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    choice->action = best_of(hattari_daihinmin_view_of(decision), decision);
    return NULL;
}

/* Called at the end of a block. Nothing was allocated. */
static void end(bot *it)
{
    (void)it;
}
