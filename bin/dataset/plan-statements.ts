import { FIRST_NAMES, LAST_NAMES, TAGS, SAMPLE_LANGUAGES } from './sample-texts.ts'

/** The parameters of a dataset. Equal parameters give equal datasets, apart from their times, which end now. */
export interface Dataset {
  accounts: number
  statuses: number
  /** The number of recently active users, who follow many accounts and have a feed. */
  feeds: number
  seed: number
}

/** The posts are spread evenly over this time. */
const DAYS = 90

/** Every eighth post starts a thread and may be reblogged, so these posts are known without a query. */
const POSTS_PER_THREAD = 8

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const list = (values: readonly string[]) => `array[${values.map(text).join(', ')}]::text[]`

/** The index of the language for each percentile of the accounts. */
const LANGUAGE_BY_PERCENTILE = SAMPLE_LANGUAGES.flatMap(({ share }, index) => Array<number>(share).fill(index + 1))

/**
 * Returns the statements that create temporary functions and the plan of all posts, from which the steps write the
 * rows. `base` is the id before the first account's. `dice(n, salt)` is a number from 0 to 1 that depends only on its
 * arguments and the seed.
 */
export function planStatements({
  dataset,
  base,
  origin,
}: {
  dataset: Dataset
  base: string
  origin: string
}): string[] {
  const { accounts, statuses, feeds, seed } = dataset
  return [
    `create function pg_temp.dice(n bigint, salt integer) returns double precision immutable language sql as $$
       select (hashint8extended(n, ${seed}::bigint * 1000 + salt) & 9007199254740991)::double precision / 9007199254740992 $$`,
    // Squaring favours the first accounts: a few have many followers and posts, most have few.
    `create function pg_temp.random_account(n bigint, salt integer) returns bigint immutable language sql as $$
       select ${base}::bigint + 1 + floor(${accounts} * pg_temp.dice(n, salt) ^ 2)::bigint $$`,
    `create function pg_temp.handle(id bigint) returns text immutable language sql as $$
       select 'person' || (id - ${base}::bigint) $$`,
    `create temp table languages as select * from (values ${SAMPLE_LANGUAGES.map(
      ({ language, sentences }, index) => `(${index + 1}, ${text(language)}, ${list(sentences)})`,
    ).join(', ')}) l (number, language, sentences)`,
    `update accounts set
       display_name = (${list(FIRST_NAMES)})[1 + floor(${FIRST_NAMES.length} * pg_temp.dice(id, 1))::int] || ' '
         || (${list(LAST_NAMES)})[1 + floor(${LAST_NAMES.length} * pg_temp.dice(id, 2))::int],
       note = 'A generated account.',
       discoverable = pg_temp.dice(id, 3) < 0.8,
       created_at = now() - interval '${DAYS} days' - pg_temp.dice(id, 4) * interval '400 days'
     where id > ${base} and id <= ${base}::bigint + ${accounts}`,
    `update users set last_seen_at = case when account_id <= ${base}::bigint + ${feeds} then now()
         else now() - interval '31 days' - pg_temp.dice(account_id, 5) * interval '300 days' end,
       feed_state = case when account_id <= ${base}::bigint + ${feeds} then 'complete' else 'pruned' end
     where account_id > ${base} and account_id <= ${base}::bigint + ${accounts}`,
    `create temp table plan as
     with ids as (
       select n, (((extract(epoch from now()) * 1000)::bigint - ${DAYS} * 86400000::bigint
           + ((n - pg_temp.dice(n, 10)) * ${DAYS} * 86400000.0 / ${statuses})::bigint) << 16) | (n & 65535) as id,
         pg_temp.random_account(n, 11) as account_id,
         n % ${POSTS_PER_THREAD} = 0 or n < ${POSTS_PER_THREAD} as is_root,
         n - n % ${POSTS_PER_THREAD} as root_n,
         (n - 1 - floor(pg_temp.dice(n, 12) * least(n - 1, 4000))::bigint) / ${POSTS_PER_THREAD} * ${POSTS_PER_THREAD} as reblogged_n
       from generate_series(1, ${statuses}::bigint) n
     ), kinds as (
       select *,
         case when is_root then 'post'
           when pg_temp.dice(n, 13) < 0.07 and reblogged_n >= ${POSTS_PER_THREAD} then 'reblog'
           when pg_temp.dice(n, 14) < 0.30 then 'reply'
           else 'post' end as kind
       from ids
     ), shapes as (
       select k.*, case k.kind when 'reply' then k.root_n when 'post' then k.n end
           + (select coalesce(max(id), 0) from conversations) as conversation_id,
         root.account_id as root_account_id, root.id as root_id, reblogged.id as reblogged_id,
         reblogged.account_id as reblogged_account_id,
         case when k.is_root or k.kind = 'reblog' then 'public'
           when pg_temp.dice(k.n, 15) < 0.80 then 'public'
           when pg_temp.dice(k.n, 15) < 0.90 then 'unlisted'
           when pg_temp.dice(k.n, 15) < 0.98 then 'private'
           else 'direct' end as visibility,
         case when k.kind = 'reply' then root.account_id
           when k.kind = 'post' and pg_temp.dice(k.n, 16) < 0.12 then pg_temp.random_account(k.n, 17) end as mentioned_id,
         case when k.kind <> 'reblog' and pg_temp.dice(k.n, 18) < 0.15
           then 1 + floor(${TAGS.length} * pg_temp.dice(k.n, 19) ^ 2)::int end as tag,
         k.kind <> 'reblog' and pg_temp.dice(k.n, 20) < 0.20 as has_media,
         k.kind <> 'reblog' and pg_temp.dice(k.n, 21) < 0.10 as has_link,
         (array[${LANGUAGE_BY_PERCENTILE.join()}])[1 + floor(100 * pg_temp.dice(k.account_id, 22))::int] as language_number,
         1 + floor(4 * pg_temp.dice(k.n, 23) ^ 2)::int as sentences
       from kinds k
         left join ids root on root.n = k.root_n and k.kind = 'reply'
         left join ids reblogged on reblogged.n = k.reblogged_n and k.kind = 'reblog'
     )
     select s.*, l.language, (
         select string_agg(l.sentences[1 + floor(cardinality(l.sentences) * pg_temp.dice(s.n, 30 + i))::int], ' ')
         from generate_series(1, s.sentences) i) as words,
       ${text(origin)}::text as origin
     from shapes s join languages l on l.number = s.language_number`,
    `create index on pg_temp.plan (n)`,
    // An account reblogs a post only once.
    `delete from plan p using (
       select n, row_number() over (partition by reblogged_id, account_id order by n) as occurrence from plan where kind = 'reblog'
     ) reblogs where reblogs.occurrence > 1 and p.n = reblogs.n`,
    `analyze pg_temp.plan`,
  ]
}
