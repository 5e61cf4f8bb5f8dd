import { FIRST_NAMES, LAST_NAMES, TAGS, VOICES } from './voices.ts'

/** What a dataset consists of. The same figures and the same seed give the same dataset, but for when it ends: now. */
export interface Dataset {
  accounts: number
  statuses: number
  /** So many people have been here lately: they follow many, and have a feed. */
  feeds: number
  seed: number
}

/** Posts come evenly over this time. */
const DAYS = 90

/** Every eighth post begins a thread and may be boosted; which that is needs no look into a table. */
const THREAD = 8

const text = (value: string) => `'${value.replaceAll("'", "''")}'`
const list = (values: readonly string[]) => `array[${values.map(text).join(', ')}]::text[]`

/** For each hundredth of the people, the index of the voice with which they speak. */
const VOICE_OF = VOICES.flatMap(({ share }, index) => Array<number>(share).fill(index + 1))

/**
 * The temporary functions and the plan of all posts, which the steps then write out. `base` is the id before the first
 * account's. `dice(n, salt)` is a number from 0 to 1 that depends on nothing but these and the seed.
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
    // Squaring favours the first: a few have many followers and write much, most have few.
    `create function pg_temp.someone(n bigint, salt integer) returns bigint immutable language sql as $$
       select ${base}::bigint + 1 + floor(${accounts} * pg_temp.dice(n, salt) ^ 2)::bigint $$`,
    `create function pg_temp.handle(id bigint) returns text immutable language sql as $$
       select 'person' || (id - ${base}::bigint) $$`,
    `create temp table voices as select * from (values ${VOICES.map(
      ({ language, sentences }, index) => `(${index + 1}, ${text(language)}, ${list(sentences)})`,
    ).join(', ')}) v (voice, language, sentences)`,
    `update accounts set
       display_name = (${list(FIRST_NAMES)})[1 + floor(${FIRST_NAMES.length} * pg_temp.dice(id, 1))::int] || ' '
         || (${list(LAST_NAMES)})[1 + floor(${LAST_NAMES.length} * pg_temp.dice(id, 2))::int],
       note = 'One of many people who were made up to fill a server.',
       discoverable = pg_temp.dice(id, 3) < 0.8,
       created_at = now() - interval '${DAYS} days' - pg_temp.dice(id, 4) * interval '400 days'
     where id > ${base} and id <= ${base}::bigint + ${accounts}`,
    `update users set last_seen_at = case when account_id <= ${base}::bigint + ${feeds} then now()
         else now() - interval '31 days' - pg_temp.dice(account_id, 5) * interval '300 days' end,
       feeds = case when account_id <= ${base}::bigint + ${feeds} then 'kept' else 'dropped' end
     where account_id > ${base} and account_id <= ${base}::bigint + ${accounts}`,
    `create temp table plan as
     with ids as (
       select n, (((extract(epoch from now()) * 1000)::bigint - ${DAYS} * 86400000::bigint
           + ((n - pg_temp.dice(n, 10)) * ${DAYS} * 86400000.0 / ${statuses})::bigint) << 16) | (n & 65535) as id,
         pg_temp.someone(n, 11) as account_id,
         n % ${THREAD} = 0 or n < ${THREAD} as is_root,
         n - n % ${THREAD} as root_n,
         (n - 1 - floor(pg_temp.dice(n, 12) * least(n - 1, 4000))::bigint) / ${THREAD} * ${THREAD} as boosted_n
       from generate_series(1, ${statuses}::bigint) n
     ), kinds as (
       select *,
         case when is_root then 'post'
           when pg_temp.dice(n, 13) < 0.07 and boosted_n >= ${THREAD} then 'boost'
           when pg_temp.dice(n, 14) < 0.30 then 'reply'
           else 'post' end as kind
       from ids
     ), shapes as (
       select k.*, case k.kind when 'reply' then k.root_n when 'post' then k.n end
           + (select coalesce(max(id), 0) from conversations) as conversation_id,
         root.account_id as root_account_id, root.id as root_id, boosted.id as boosted_id,
         boosted.account_id as boosted_account_id,
         case when k.is_root or k.kind = 'boost' then 'public'
           when pg_temp.dice(k.n, 15) < 0.80 then 'public'
           when pg_temp.dice(k.n, 15) < 0.90 then 'unlisted'
           when pg_temp.dice(k.n, 15) < 0.98 then 'private'
           else 'direct' end as visibility,
         case when k.kind = 'reply' then root.account_id
           when k.kind = 'post' and pg_temp.dice(k.n, 16) < 0.12 then pg_temp.someone(k.n, 17) end as mentioned_id,
         case when k.kind <> 'boost' and pg_temp.dice(k.n, 18) < 0.15
           then 1 + floor(${TAGS.length} * pg_temp.dice(k.n, 19) ^ 2)::int end as tag,
         k.kind <> 'boost' and pg_temp.dice(k.n, 20) < 0.20 as has_media,
         k.kind <> 'boost' and pg_temp.dice(k.n, 21) < 0.10 as has_link,
         (array[${VOICE_OF.join()}])[1 + floor(100 * pg_temp.dice(k.account_id, 22))::int] as voice,
         1 + floor(4 * pg_temp.dice(k.n, 23) ^ 2)::int as sentences
       from kinds k
         left join ids root on root.n = k.root_n and k.kind = 'reply'
         left join ids boosted on boosted.n = k.boosted_n and k.kind = 'boost'
     )
     select s.*, v.language, (
         select string_agg(v.sentences[1 + floor(cardinality(v.sentences) * pg_temp.dice(s.n, 30 + i))::int], ' ')
         from generate_series(1, s.sentences) i) as words,
       ${text(origin)}::text as origin
     from shapes s join voices v on v.voice = s.voice`,
    `create index on pg_temp.plan (n)`,
    // Nobody boosts a post twice.
    `delete from plan p using (
       select n, row_number() over (partition by boosted_id, account_id order by n) as place from plan where kind = 'boost'
     ) boosts where boosts.place > 1 and p.n = boosts.n`,
    `analyze pg_temp.plan`,
  ]
}
