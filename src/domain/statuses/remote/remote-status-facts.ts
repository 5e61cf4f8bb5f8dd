import type { StatusRow } from '../../access/visibility.ts'
import type { RemoteEmojiFacts } from '../../emojis/record-remote-emojis.ts'
import type { RemoteMediaFacts } from '../../media/record-remote-media.ts'
import type { RemotePollFacts } from '../../polls/record-remote-poll.ts'
import type { RemoteQuoteFacts } from '../../quotes/record-remote-quote.ts'

/** A remote status as its origin server describes it. The caller has verified all claims that need verification. */
export interface RemoteStatusFacts {
  uri: string
  /** The URL of its HTML page. */
  url: string
  /** The id of the remote author. */
  accountId: string
  visibility: StatusRow['visibility']
  /** Sanitized HTML. */
  content: string
  spoilerText: string
  sensitive: boolean
  language: string | null
  inReplyTo: string | null
  /** The URI of its conversation, used if its parent is not known. */
  conversation: string | null
  /** Not in the future; null means now. */
  publishedAt: Date | null
  updatedAt: Date | null
  /** The accounts that are both mentioned and addressed, in the order of the text. */
  mentionedIds: readonly string[]
  /** The accounts that are addressed without a mention: they may read the status, and are not notified. */
  silentIds: readonly string[]
  /** The URIs of replies to fetch once it is recorded. */
  replyUris: readonly string[]
  /** The account in whose inbox it arrived: it may read the status, also if that was stored before. */
  readerId: string | null
  /** Normalised name → the name as written, without `#`. */
  hashtags: ReadonlyMap<string, string>
  emojis: readonly RemoteEmojiFacts[]
  attachments: readonly RemoteMediaFacts[]
  /** The URLs of attached pages. The first one gets a preview card, rather than a link in the text. */
  attachedPages: readonly string[]
  poll: RemotePollFacts | null
  quote: RemoteQuoteFacts | null
  /** Who may quote it: with automatic approval, and with manual approval by the author (FEP-044f). */
  quoteAutomatic: readonly string[]
  quoteManual: readonly string[]
  /** The counters of the origin server; null if it does not report them. */
  repliesCount: number | null
  likesCount: number | null
  sharesCount: number | null
}

/** Returns whether a status has neither files nor a quote. Only then it has a preview card. */
export function isPlain({ attachments, quote }: Pick<RemoteStatusFacts, 'attachments' | 'quote'>): boolean {
  return attachments.length === 0 && quote === null
}
