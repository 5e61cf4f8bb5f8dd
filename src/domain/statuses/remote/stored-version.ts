import { isDeepStrictEqual } from 'node:util'
import type { FocalPoint } from '../../../lib/parse-focal-point.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usedEmojis } from '../../emojis/record-remote-emojis.ts'
import type { RemoteMediaFacts } from '../../media/record-remote-media.ts'
import { isPlain } from './remote-status-facts.ts'
import type { RemoteStatusFacts } from './remote-status-facts.ts'

type MediaVersion = Pick<RemoteMediaFacts, 'url' | 'type' | 'description' | 'previewUrl'> & { focus: FocalPoint | null }

/** The last version of a remote status that is stored. */
export interface StoredVersion {
  id: string
  account_id: string
  domain: string
  /** The date of the version. */
  updated_at: Date
  url: string
  content: string
  spoiler_text: string
  sensitive: boolean
  language: string | null
  media: MediaVersion[]
  poll: { options: string[]; multiple: boolean } | null
  mentioned: string[]
  /** The names of its hashtags. */
  tags: string[]
  /** The shortcodes of its custom emojis. */
  emojis: string[]
  /** The URL of its preview card; null without a card. */
  link: string | null
}

export const lockStatus = statement<{ params: { uri: string }; row: StoredVersion; notNull: 'domain' | 'updated_at' }>(
  `select s.id, s.account_id, a.domain, coalesce(greatest(s.edited_at, s.origin_updated_at), s.created_at) as updated_at,
     s.url, s.content, s.spoiler_text, s.sensitive, s.language,
     coalesce((select jsonb_agg(jsonb_build_object('url', m.remote_url, 'type', m.type, 'description', m.description,
         'previewUrl', m.preview_remote_url, 'focus', m.meta -> 'focus') order by m.position)
       from media_attachments m where m.status_id = s.id and m.withdrawn_at is null), '[]') as media,
     (select jsonb_build_object('options', p.options, 'multiple', p.multiple) from polls p where p.status_id = s.id)
       as poll,
     array(select m.account_id::text from mentions m where m.status_id = s.id and not m.silent) as mentioned,
     array(select t.name from status_tags st join tags t on t.id = st.tag_id where st.status_id = s.id) as tags,
     array(select e.shortcode from custom_emojis e where e.id = any(s.emoji_ids)) as emojis,
     (select l.url from status_preview_links l where l.status_id = s.id) as link
   from statuses s join accounts a on a.id = s.account_id
   where s.uri = $uri and not s.local and s.reblog_of_id is null and s.deleted_at is null for no key update of s`,
)

/**
 * Returns how the version that the origin server describes differs from the stored one, apart from counters and dates.
 * `edited`: in what the author wrote or attached, which is an edit, as in Mastodon. `described`: only in what other
 * servers add to that: its URL, language, mentions, hashtags and emojis, the attached page, and the display of
 * attachments.
 */
export function compareVersions(before: StoredVersion, facts: RemoteStatusFacts): 'same' | 'described' | 'edited' {
  const { poll, accountId } = facts
  const attachments = facts.attachments.filter(({ url }, n, all) => all.findIndex((other) => other.url === url) === n)
  const writtenOf = ({ url, description, previewUrl }: MediaVersion) => ({ url, description, previewUrl })
  const isEdited = !isDeepStrictEqual(
    [before.content, before.spoiler_text, before.sensitive, before.media.map(writtenOf), before.poll],
    [
      facts.content,
      facts.spoilerText,
      facts.sensitive,
      attachments.map(writtenOf),
      poll && { options: [...poll.options], multiple: poll.multiple },
    ],
  )
  if (isEdited) return 'edited'
  const displayOf = ({ type, focus }: MediaVersion) => ({ type, focus })
  const texts = [facts.content, facts.spoilerText, ...(poll?.options ?? [])]
  const isLinkSame = !isPlain(facts) || (facts.attachedPages[0] ?? before.link) === before.link
  const isSame = isDeepStrictEqual(
    [
      [before.url, before.language, before.media.map(displayOf)],
      [before.mentioned, before.tags, before.emojis].map((names) => new Set(names)),
    ],
    [
      [facts.url, facts.language, attachments.map(displayOf)],
      [
        new Set(facts.mentionedIds.filter((id) => id !== accountId)),
        new Set(facts.hashtags.keys()),
        new Set(usedEmojis(facts.emojis, texts).map(({ shortcode }) => shortcode)),
      ],
    ],
  )
  return isSame && isLinkSame ? 'same' : 'described'
}
