import type { Ctx } from '../../../domain/context.ts'
import type { PreviewCard } from '../../../entities/card.ts'
import type { MediaAttachment } from '../../../entities/media.ts'
import type { Poll } from '../../../entities/poll.ts'
import type { Status } from '../../../entities/status.ts'
import { raw } from '../../../lib/html.ts'
import { pageAccountOf, stillEmojis } from '../../support/page.ts'
import type { PostCard } from './card.ts'
import type { PostMedia } from './media.ts'
import type { PostPoll } from './poll.ts'
import type { Post } from './template.ts'

/** A rendered status as a page shows it; a boost as what it boosts. */
export function postOf(ctx: Ctx, status: Status): Post {
  if (status.reblog) {
    return {
      ...postOf(ctx, status.reblog),
      id: status.id,
      boostedBy: pageAccountOf(ctx, status.account),
      replyTo: null,
    }
  }
  const { card, quote } = status
  const quoted = quote && 'quoted_status' in quote ? quote.quoted_status : null
  const url = status.url ?? status.uri
  return {
    id: status.id,
    url,
    at: new Date(status.created_at),
    author: pageAccountOf(ctx, status.account),
    warning: status.spoiler_text,
    sensitive: status.sensitive,
    // Markup of our own making, or sanitised when it came in.
    content: raw(status.content ?? ''),
    language: status.language,
    emojis: stillEmojis(status.emojis),
    media: status.media_attachments.map(mediaOf),
    poll: status.poll && pollOf(status.poll),
    card: card && cardOf(card),
    quote: quoted && { ...postOf(ctx, quoted), replyTo: null },
    replies: status.replies_count,
    boosts: status.reblogs_count,
    favourites: status.favourites_count,
    replyTo: replyOf(status),
    editedAt: status.edited_at === null ? null : new Date(status.edited_at),
    historyUrl: status.edited_at === null || !isOurs(ctx, url) ? null : `${url}/history`,
    unlisted: status.visibility === 'unlisted',
    quotable: status.account.noindex !== true,
    limited: status.account.limited === true,
  }
}

function isOurs(ctx: Ctx, url: string): boolean {
  return url.startsWith(`${ctx.config.origin}/`)
}

function replyOf(status: Status): NonNullable<Post['replyTo']> | null {
  const { in_reply_to_id: parent, in_reply_to_account_id: whom, account, mentions } = status
  if (parent === null && whom === null) return null
  if (whom === account.id) return 'self'
  const named = mentions.find(({ id }) => id === whom)
  return named ? { handle: named.acct, url: named.url } : 'somebody'
}

function cardOf(card: PreviewCard): PostCard {
  const { image, width, height, blurhash } = card
  const account = card.authors[0]?.account
  return {
    url: card.url,
    title: card.title,
    description: card.description,
    provider: card.provider_name || URL.parse(card.url)?.host || '',
    author: account ? account.display_name || account.username : card.author_name,
    at: card.published_at === null ? null : new Date(card.published_at),
    image: image === null ? null : { url: image, description: card.image_description, blurhash, width, height },
    language: card.language,
    plays: card.html !== '',
  }
}

/** A media attachment as a page shows it. */
export function mediaOf(media: MediaAttachment): PostMedia {
  return {
    kind: media.type,
    url: media.url ?? media.remote_url ?? '',
    preview: media.preview_url,
    description: media.description,
    blurhash: media.blurhash,
    width: media.meta?.small?.width ?? null,
    height: media.meta?.small?.height ?? null,
  }
}

function pollOf(poll: Poll): PostPoll {
  return {
    options: poll.options.map(({ title, votes_count: votes }) => ({ title, votes })),
    votes: poll.voters_count ?? poll.votes_count,
    ended: poll.expired,
    endsAt: poll.expires_at === null ? null : new Date(poll.expires_at),
  }
}
