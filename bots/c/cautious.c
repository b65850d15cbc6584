/*
 * cautious: a daihinmin bot in plain C, and a walk through everything that such a bot has to do.
 *
 * Build it with a C compiler and nothing else, from the root of the repository:
 *
 *     cc -O2 -std=c11 -fPIC -shared -fvisibility=hidden -Iplugin-api/include \
 *         -o bots/c/libcautious.so bots/c/cautious.c
 *
 * How it plays. It counts turns: how many plays its hand still takes, where a group or a sequence is one. A play
 * is good when it saves a turn and costs no strong card. It breaks no group to follow a single, leaves twos, the
 * joker and the eights at home while nobody is about to go out, and passes instead. It counts cards, too: a play
 * that nothing unseen can beat is sure to win the trick, and once all of its plays but one are sure, it runs home.
 *
 * How to read this file: from the top. First what the bot is; then the strategy, which knows cards only; last what is
 * called by hattari_bot.h, which says what a host asks of a library and does it.
 */
#include "hattari_daihinmin.h"

/* What the bot keeps during a block, and what the host shall know of it; hattari_bot.h makes a library of that. */
typedef struct bot {
    const hattari_host *host;
    const hattari_log_service *log; /* null where the host has no log */
} bot;

#define HATTARI_BOT_ID "cautious" /* by which leagues name it */
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
 * A set of cards is 64 bits. Card number n is bit n, and n is 4 times its column plus its suit, so the four cards
 * of a rank are neighbours: shifting a set right by 4 times the column brings that rank down to the lowest four
 * bits.
 */

#define COLUMNS 14 /* columns 1 to 13 hold the ranks; 0 is only for a joker below the threes */
#define SUITS 4

/*
 * How many cards a set has. `set - 1` turns the lowest bit off and all below it on, so `&` with it takes the
 * lowest card away; the loop runs once a card. Compilers have an instruction for this, but not one that plain C11
 * can name.
 */
static int count_cards(uint64_t set)
{
    int n = 0;
    for (; set != 0; set &= set - 1)
        n++;
    return n;
}

/*
 * How many cards of one rank a set has, without the joker. The joker is a bit above all columns (60, which would
 * be column 15), so no column ever counts it.
 */
static int count_rank(uint64_t set, int column)
{
    return count_cards((set >> (4 * column)) & 0xf);
}

/* Whether a set has a certain card. */
static int has_card(uint64_t set, int column, int suit)
{
    return (set >> (4 * column + suit)) & 1;
}

/* The joker as a card has a bit of its own, whatever it stands for on the table. */
static int has_joker(uint64_t set)
{
    return (set & HATTARI_DAIHINMIN_JOKER_SET) != 0;
}

/*
 * Whether the order of ranks is turned round now. A revolution lasts, an eleven-back is for the trick; both cancel
 * out.
 */
static int is_turned(const hattari_daihinmin_view *view)
{
    return view->revolution != view->eleven_back;
}

/*
 * How strong a column is, 1 to 13, in the order that is in force: the threes are 1 and the twos 13, or the other
 * way round. Comparing strengths instead of columns is all that it takes to play revolutions.
 */
static int strength(int column, int turned)
{
    return turned ? COLUMNS - column : column;
}

/* ------------------------------------------------------------------------------------------------ hands
 *
 * Two questions about a hand decide most games: how many turns do I still need, and in how many of them will
 * somebody beat me? The first is `turns_of`, the second `losers_of`. Both are estimates that cost some hundred
 * nanoseconds. A stronger bot would search here; mind that a league asks a few hundred thousand times a second.
 */

/*
 * How many plays it takes to shed a hand, roughly. Every rank is one play, since its cards go as a group; a
 * sequence saves plays where it takes cards that would have to go alone. The joker joins some other play and is
 * free, unless it is all that is left.
 */
static int turns_of(uint64_t hand)
{
    int column, suit, turns = 0;
    uint64_t rest = hand & HATTARI_DAIHINMIN_SUITED;
    if (rest == 0)
        return has_joker(hand);
    /* Sequences first, suit by suit: what they take is gone from `rest` before the ranks are counted. */
    for (suit = 0; suit < SUITS; suit++) {
        int start = 1;
        while (start < COLUMNS) {
            /*
             * The cards of this suit from `start` on without a gap, and how many of them are alone in their rank.
             */
            int end = start, alone = 0;
            for (; end < COLUMNS && has_card(rest, end, suit); end++)
                alone += count_rank(rest, end) == 1;
            /*
             * The sequence is one turn. Without it, each card that is alone in its rank would take one; the others
             * would go with their rank anyway. So it pays from two lone cards on.
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
    /* Whatever is left goes rank by rank. */
    for (column = 1; column < COLUMNS; column++)
        turns += count_rank(rest, column) > 0;
    return turns;
}

/*
 * Whether cards that are unseen could beat `size` cards of a rank. It may say yes where nobody happens to hold them
 * together, but a no is certain.
 */
static int can_be_beaten(uint64_t unseen, int column, int size, int suits, int locked, int turned)
{
    int other, jokers = has_joker(unseen);
    /* The joker alone beats every single, whatever the lock. */
    if (size == 1 && jokers)
        return 1;
    for (other = 1; other < COLUMNS; other++) {
        uint64_t rank = (unseen >> (4 * other)) & 0xf;
        /* Only a higher rank beats, never the same. */
        if (strength(other, turned) <= strength(column, turned))
            continue;
        /* A lock leaves only these suits, and each of them is needed. */
        if (locked)
            rank &= (uint64_t)suits;
        /* The joker stands in for one card of a group. */
        if (count_cards(rank) + jokers >= size)
            return 1;
    }
    return 0;
}

/* Whether a play is sure to win its trick: it ends the trick itself, or nothing unseen can beat it. */
static int is_sure(const hattari_daihinmin_action *action, const hattari_daihinmin_view *view, uint64_t unseen)
{
    int turned = is_turned(view);
    int locked = view->lock || (action->effects & HATTARI_DAIHINMIN_EFFECTS_LOCK) != 0;
    /*
     * An eight clears the trick, and so does the three of spades on the joker. The rules have worked that out for
     * us.
     */
    if (action->effects & HATTARI_DAIHINMIN_EFFECTS_CUT)
        return 1;
    /* The play itself may turn the order round: what beats it is then what used to be weak. */
    if (action->effects & HATTARI_DAIHINMIN_EFFECTS_REVOLUTION)
        turned = !turned;
    if (action->kind == HATTARI_DAIHINMIN_KIND_SEQUENCE) {
        /*
         * An answer has as many cards and lies above all of ours, so three ranks must be free above the top one.
         * To find out who could hold such a run is not worth the while: four cards or more are hardly ever beaten.
         */
        int top = strength(action->column, turned);
        if (!turned)
            top += action->count - 1;
        return action->count >= 4 || top + 3 > COLUMNS;
    }
    /* The joker alone falls to the three of spades only. */
    if (action->kind == HATTARI_DAIHINMIN_KIND_SINGLE && has_joker(action->cards))
        return (unseen & HATTARI_DAIHINMIN_SPADE_3) == 0;
    return !can_be_beaten(unseen, action->column, action->count, action->suits, locked, turned);
}

/*
 * How many groups of a hand would not be sure to win if they were led. Every sure one keeps the lead, so a hand
 * with one loser at most is as good as played: the sure ones first, the loser last, when nobody is left to mind
 * that it is weak. Sequences are not looked at, which makes this cautious: it may count a loser too many. Eights
 * always win their trick.
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
 * Every action gets a worth, and the highest is taken. The numbers below are guesses that did well in a league:
 * change one, build, let a league play both, and look at what the report says. That is what this arena is for.
 */

/*
 * What cards are worth keeping for later. Up to the tens nothing: they win no trick. From there on the square of
 * the distance, since the highest ranks win far more often than those just below them. Eights win the lead at any
 * time, and the joker fits everything.
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

/* The fewest cards that an opponent who is still in holds. Seats that are out have none left and do not count. */
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
 * Whether the play on the table is mine and all others have passed. By the contest's rules the last to play is
 * asked once more, and may beat itself. That would be a waste: a pass clears the table and gives me the lead for
 * nothing.
 */
static int owns_trick(const hattari_daihinmin_view *view)
{
    int everyone = (1 << HATTARI_DAIHINMIN_PLAYERS) - 1;
    int waiting = everyone & ~(view->passed | view->out | (1 << view->seat));
    return view->table_seat == view->seat && waiting == 0;
}

/* What a play is good for; a pass is worth 0. */
static int worth_of(const hattari_daihinmin_action *action, const hattari_daihinmin_view *view)
{
    uint64_t rest = view->hand & ~action->cards;
    uint64_t unseen = HATTARI_DAIHINMIN_PACK & ~view->hand & ~view->gone;
    int turned = is_turned(view), leads = view->table_seat == HATTARI_DAIHINMIN_NONE;
    int sure = is_sure(action, view, unseen);
    int saved = turns_of(view->hand) - turns_of(rest);
    int worth;

    /* Out at once: nothing is better. */
    if (rest == 0)
        return 10000;
    /*
     * The lead is mine after this, and from there I run home. Among several such plays, the one that goes
     * furthest.
     */
    if (sure && losers_of(rest, unseen, turned) <= 1)
        return 5000 + 100 * saved - price_of(action, turned);

    /* A turn saved is the point of it all; cards shed are welcome; strong cards are not given away for little. */
    worth = 30 * saved + 2 * action->count - price_of(action, turned);
    if (leads) {
        /*
         * The lead must be used for something: begin with what is weakest, since it never wins a trick by itself.
         */
        worth += 40 + 3 * (COLUMNS - strength(action->column, turned));
    } else if (sure) {
        /* The lead is worth having. */
        worth += 15;
    }
    /*
     * With an opponent about to go out, cards kept back are cards lost, so everything is worth more. When I lead,
     * I lead what that opponent can hardly answer: more cards than they hold, or else something high.
     */
    if (fewest_cards(view) <= 2) {
        worth += 25;
        if (leads && action->count <= 2 && fewest_cards(view) >= action->count)
            worth += 4 * strength(action->column, turned) - 30;
    }
    return worth;
}

/*
 * The index of the action to take. All of them are legal: the rules were applied before we were asked, so a bot
 * never needs to know what may be played, only what is good. Of equals the first is taken, which keeps play the
 * same on every run.
 */
static uint32_t best_of(const hattari_daihinmin_view *view, const hattari_decision *decision)
{
    uint32_t i, best = 0;
    int best_worth = -100000;
    for (i = 0; i < decision->action_count; i++) {
        const hattari_daihinmin_action *action = hattari_daihinmin_action_at(decision, i);
        int worth;
        /* Records come with their distance, so they are reached through the function above, not by indexing. */
        if (action->kind == HATTARI_DAIHINMIN_KIND_PASS)
            worth = owns_trick(view) ? 1000 : 0;
        else if (action->kind == HATTARI_DAIHINMIN_KIND_GIVE)
            /*
             * The exchange comes as a decision like any other, with gifts for actions. Give what leaves the hand
             * with the fewest turns and the strongest cards. Every deal starts without a revolution, so the order
             * is the plain one.
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
 * What hattari_bot.h calls. A bot that keeps nothing and asks the host for nothing has `decide` alone: template.c shows it.
 */

/* Writes to the host's log, if there is one. Texts need no zero at the end, they carry their length. */
static void write_log(const bot *it, int32_t level, const char *words)
{
    hattari_text text;
    text.ptr = words;
    text.len = strlen(words);
    if (it->log != NULL)
        it->log->write(it->host, level, text);
}

/* A block of deals starts: the time to ask for the host's services, any of which may be absent. */
static const char *begin(bot *it, const hattari_host *host)
{
    it->host = host;
    it->log = (const hattari_log_service *)hattari_bot_service(host, HATTARI_SERVICE_LOG);
    write_log(it, HATTARI_LOG_DEBUG, "ready");
    return NULL;
}

/* The view says all that we may know, the actions all that we may do; the answer is the number of one of them. */
static const char *act(bot *it, const hattari_decision *decision, hattari_choice *choice)
{
    (void)it;
    choice->action = best_of(hattari_daihinmin_view_of(decision), decision);
    return NULL;
}

/* Nothing was allocated. */
static void end(bot *it)
{
    (void)it;
}
