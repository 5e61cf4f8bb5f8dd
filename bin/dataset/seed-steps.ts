import { TAGS } from './sample-texts.ts'
import type { Dataset } from './plan-statements.ts'

/** A part of the work: statements that run in order, with `{from}` and `{to}` as the bounds of a slice of `of`. */
export interface SeedStep {
  title: string
  /** Its share of the total work. */
  weight: number
  /** The number of rows that are divided into slices; default: one slice for all. */
  of?: number
  slice?: number
  statements: readonly string[]
}

/** The newest posts per account that feeds are filled from: enough for a full feed of a user who follows dozens. */
const FEED_WINDOW = 8

/** The number of slices of a step with many rows. */
const SLICES = 40

/** An image in the storage. */
export interface StoredImage {
  fileKey: string
  previewKey: string
  contentType: string
  byteSize: number
  meta: object
  blurhash: string
}

const quoted = (value: string) => `'${value.replaceAll("'", "''")}'`

const MENTION = `'<span class="h-card" translate="no"><a href="' || origin || '/@' || pg_temp.handle(mentioned_id)
  || '" class="u-url mention">@<span>' || pg_temp.handle(mentioned_id) || '</span></a></span> '`
const TAG = (name: string) => `' <a href="' || origin || '/tags/' || ${name}
  || '" class="mention hashtag" rel="tag">#<span>' || ${name} || '</span></a>'`
const LINK = `' <a href="https://example.com/articles/' || n
  || '" rel="nofollow noopener" target="_blank" translate="no"><span class="invisible">https://</span>'
  || '<span class="">example.com/articles/' || n || '</span><span class="invisible"></span></a>'`

/** Returns the steps that write the rows of the plan. `base` is the id before the first account's. */
export function seedSteps({
  dataset,
  base,
  images,
}: {
  dataset: Dataset
  base: string
  images: readonly StoredImage[]
}): SeedStep[] {
  const { accounts, statuses, feeds } = dataset
  const slices = (of: number) => ({ of, slice: Math.ceil(of / SLICES) })
  const tagName = `(array[${TAGS.map(quoted).join()}])[tag]`
  return [
    {
      title: 'follows',
      weight: 2,
      ...slices(accounts),
      statements: [
        `insert into follows (account_id, target_account_id, created_at)
         select ${base}::bigint + n, target, now() - min(pg_temp.dice(n * 1000 + k, 51)) * interval '90 days'
         from generate_series({from}::bigint, {to}) n,
           generate_series(1, case when n <= ${feeds} then 60 + floor(80 * pg_temp.dice(n, 50))::int
             else 2 + floor(10 * pg_temp.dice(n, 50))::int end) k,
           pg_temp.random_account(n * 1000 + k, 52) target
         where target <> ${base}::bigint + n
         group by n, target`,
      ],
    },
    {
      title: 'conversations',
      weight: 1,
      statements: [
        `insert into conversations (id, created_at) overriding system value
         select conversation_id, to_timestamp((id >> 16) / 1000.0) from plan where kind = 'post' order by n`,
        `select setval(pg_get_serial_sequence('conversations', 'id'), (select max(id) from conversations))`,
      ],
    },
    {
      title: 'posts',
      weight: 12,
      ...slices(statuses),
      statements: [
        `insert into statuses (id, account_id, uri, url, text, content, spoiler_text, visibility, sensitive, language,
           in_reply_to_id, in_reply_to_account_id, reblog_of_id, conversation_id, created_at)
         select id, account_id, origin || '/ap/users/' || account_id || '/statuses/' || id
             || case kind when 'reblog' then '/activity' else '' end,
           case kind when 'reblog' then origin || '/ap/users/' || account_id || '/statuses/' || id || '/activity'
             else origin || '/@' || pg_temp.handle(account_id) || '/' || id end,
           case kind when 'reblog' then '' else
             coalesce('@' || pg_temp.handle(mentioned_id) || ' ', '') || words || coalesce(' #' || ${tagName}, '')
             || case when has_link then ' https://example.com/articles/' || n else '' end end,
           case kind when 'reblog' then '' else
             '<p>' || coalesce(${MENTION}, '') || words || coalesce(${TAG(tagName)}, '')
             || case when has_link then ${LINK} else '' end || '</p>' end,
           case when kind <> 'reblog' and pg_temp.dice(n, 60) < 0.04 then 'long day' else '' end,
           visibility, kind <> 'reblog' and pg_temp.dice(n, 60) < 0.04, case kind when 'reblog' then null else language end,
           root_id, root_account_id, reblogged_id, conversation_id, to_timestamp((id >> 16) / 1000.0)
         from plan where n between {from} and {to} order by n`,
      ],
    },
    {
      title: 'mentions and hashtags',
      weight: 1,
      statements: [
        `insert into mentions (status_id, account_id) select id, mentioned_id from plan where mentioned_id is not null order by n`,
        `insert into tags (name, display_name) select name, name from unnest(array[${TAGS.map(quoted).join()}]) name
         on conflict do nothing`,
        `insert into status_tags (status_id, tag_id)
         select p.id, t.id from plan p join tags t on t.name = ${tagName} where p.tag is not null`,
      ],
    },
    {
      title: 'images',
      weight: 2,
      statements: [
        `insert into media_attachments (account_id, status_id, type, file_key, preview_key, content_type, byte_size, meta,
           blurhash, description, created_at, detached_at)
         select p.account_id, p.id, 'image', image.file_key, image.preview_key, image.content_type,
           image.byte_size, image.meta, image.blurhash,
           case when pg_temp.dice(p.n, 61) < 0.7 then 'Stripes and circles in a few colours' end,
           to_timestamp((p.id >> 16) / 1000.0), null
         from plan p join (values ${images
           .map(
             ({ fileKey, previewKey, contentType, byteSize, meta, blurhash }, index) =>
               `(${index}, ${quoted(fileKey)}, ${quoted(previewKey)}, ${quoted(contentType)}, ${byteSize},
                 ${quoted(JSON.stringify(meta))}::jsonb, ${quoted(blurhash)})`,
           )
           .join(', ')}) image (number, file_key, preview_key, content_type, byte_size, meta, blurhash)
           on image.number = p.n % ${images.length}
         where p.has_media order by p.n`,
      ],
    },
    {
      title: 'favourites',
      weight: 7,
      ...slices(statuses),
      statements: [
        `insert into favourites (account_id, status_id, created_at)
         select pg_temp.random_account(p.n * 100 + k, 70) as account_id, p.id,
           to_timestamp((p.id >> 16) / 1000.0) + min(pg_temp.dice(p.n * 100 + k, 71)) * interval '1 day'
         from plan p, generate_series(1, floor(6 * pg_temp.dice(p.n, 72) ^ 3)::int) k
         where p.n between {from} and {to} and p.kind <> 'reblog' and p.visibility in ('public', 'unlisted')
         group by 1, p.id order by p.id`,
      ],
    },
    {
      title: 'counters',
      weight: 6,
      statements: [
        `insert into status_stats (status_id, replies_count, reblogs_count, favourites_count)
         select id, sum(replies), sum(reblogs), sum(favourites) from (
           select root_id as id, 1 as replies, 0 as reblogs, 0 as favourites from plan
             where kind = 'reply' and visibility in ('public', 'unlisted')
           union all select reblogged_id, 0, 1, 0 from plan where kind = 'reblog'
           union all select f.status_id, 0, 0, 1 from favourites f join plan p on p.id = f.status_id
         ) counted group by id`,
        `with posted as (
           select account_id, count(*) as posts, max(id) as last from plan where visibility <> 'direct' group by account_id
         ), followed as (
           select target_account_id as account_id, count(*) as count from follows group by target_account_id
         ), following as (
           select account_id, count(*) as count from follows group by account_id
         )
         update account_stats st set
           statuses_count = coalesce(posted.posts, 0), last_status_at = to_timestamp((posted.last >> 16) / 1000.0),
           followers_count = coalesce(followed.count, 0), following_count = coalesce(following.count, 0)
         from accounts a left join posted on posted.account_id = a.id left join followed on followed.account_id = a.id
           left join following on following.account_id = a.id
         where a.id = st.account_id and a.id > ${base}`,
      ],
    },
    {
      title: 'notifications',
      weight: 3,
      statements: [
        `insert into notifications (account_id, from_account_id, type, status_id, created_at)
         select * from (
           select p.account_id, f.account_id, 'favourite', p.id, f.created_at
             from favourites f join plan p on p.id = f.status_id
           union all select b.reblogged_account_id, b.account_id, 'reblog', b.reblogged_id, to_timestamp((b.id >> 16) / 1000.0)
             from plan b where b.kind = 'reblog'
           union all select mentioned_id, account_id, 'mention', id, to_timestamp((id >> 16) / 1000.0)
             from plan where mentioned_id is not null
           union all select target_account_id, account_id, 'follow', null, created_at
             from follows where account_id > ${base}
         ) new_rows (account_id, from_account_id, type, status_id, created_at)
         where account_id <> from_account_id and account_id <= ${base}::bigint + ${feeds}
         order by created_at`,
      ],
    },
    {
      title: 'feeds',
      weight: 7,
      of: feeds,
      slice: 250,
      statements: [
        `insert into feed_entries (account_id, status_id, original_id)
         select account_id, id, original_id from (
           select f.account_id, p.id, coalesce(p.reblogged_id, p.id) as original_id,
             row_number() over (partition by f.account_id order by p.id desc) as position
           from (
             select account_id, target_account_id from follows
               where account_id between ${base}::bigint + {from} and ${base}::bigint + {to}
             union all select ${base}::bigint + n, ${base}::bigint + n from generate_series({from}::bigint, {to}) n
           ) f join plan p on p.account_id = f.target_account_id
             left join follows other on other.account_id = f.account_id and other.target_account_id = p.root_account_id
           where p.n > ${statuses - FEED_WINDOW * accounts} and (p.visibility <> 'direct' or p.account_id = f.account_id)
             and (p.kind <> 'reply' or p.account_id = f.account_id
               or p.root_account_id in (f.account_id, p.account_id) or other.id is not null)
         ) newest where position <= 800 order by account_id, id`,
      ],
    },
  ]
}
