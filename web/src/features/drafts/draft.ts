import type { MediaAttachment, Status } from '../../lib/api/entities.ts'

/** A file of a post that is being written, or an attachment of a post that is being edited. */
export interface DraftMedia {
  key: string
  /** Null for an attachment of a published post. */
  file: File | null
  /** Null until the file is uploaded. */
  attachment: MediaAttachment | null
  /** When the file was uploaded, in milliseconds: the server deletes uploads that no post uses. */
  uploadedAt: number
  description: string
  /** The focal point, each coordinate from −1 to 1. Null: the centre. */
  focus: { x: number; y: number } | null
}

export interface DraftPoll {
  options: string[]
  /** In seconds. */
  expiresIn: number
  multiple: boolean
  hideTotals: boolean
}

/** One post of a draft, which may be a thread of several. */
export interface DraftPost {
  /** Identifies the post in the composer, and is its idempotency key at the server. */
  key: string
  text: string
  /** Null: without a content warning. */
  warning: string | null
  sensitive: boolean
  media: DraftMedia[]
  poll: DraftPoll | null
  /** The body of a request whose result is unknown, because the response was lost. */
  attempt: string | null
}

export type Visibility = Status['visibility']
export type QuotePolicy = 'public' | 'followers' | 'nobody'

/** Why a draft is written: a new post, an answer, a quote, or an edit of a status of the user. */
export interface DraftContext {
  type: 'new' | 'reply' | 'quote' | 'edit'
  statusId: string | null
}

/** What the user is writing, with everything that is needed to go on after the browser was closed. */
export interface Draft {
  id: string
  accountId: string
  context: DraftContext
  /** The post before the first one: the status that is replied to, then the last one of the thread that was sent. */
  inReplyToId: string | null
  quotedStatusId: string | null
  posts: DraftPost[]
  visibility: Visibility
  quotePolicy: QuotePolicy
  language: string
  /** A local time as `2026-01-31T12:00`, or null to send at once. */
  scheduledAt: string | null
  /** The text with which the composer was opened, which alone is not worth saving. */
  initialText: string
  updatedAt: number
}

export function createPost(values: Partial<DraftPost> = {}): DraftPost {
  return {
    key: crypto.randomUUID(),
    text: '',
    warning: null,
    sensitive: false,
    media: [],
    poll: null,
    attempt: null,
    ...values,
  }
}

/** Returns whether a draft contains nothing that the user has written or added. */
export function isBlankDraft({ posts, context, initialText }: Draft): boolean {
  return (
    context.type !== 'edit' &&
    posts.every(
      ({ text, warning, media, poll }, index) =>
        [(index === 0 ? initialText : '').trim(), ''].includes(text.trim()) &&
        // The warning of the post that is replied to is copied.
        (warning === null || warning === '' || context.type === 'reply') &&
        media.length === 0 &&
        (poll?.options.every((option) => option === '') ?? true),
    )
  )
}

export const isSameContext = (a: DraftContext, b: DraftContext): boolean =>
  a.type === b.type && a.statusId === b.statusId
