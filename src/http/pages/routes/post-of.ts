import type { Ctx } from '../../../domain/context.ts'
import type { MediaAttachment } from '../../../entities/media.ts'
import type { Poll } from '../../../entities/poll.ts'
import type { Status } from '../../../entities/status.ts'
import { raw } from '../../../lib/html.ts'
import { personOf } from '../../support/page.ts'
import type { Post } from '../post.ts'

/** A rendered status as a page shows it. */
export function postOf(ctx: Ctx, status: Status): Post {
  return {
    id: status.id,
    url: status.url ?? status.uri,
    at: new Date(status.created_at),
    author: personOf(ctx, status.account),
    warning: status.spoiler_text,
    sensitive: status.sensitive,
    // Markup of our own making, or sanitised when it came in.
    content: raw(status.content ?? ''),
    language: status.language,
    emojis: status.emojis,
    media: status.media_attachments.map(mediaOf),
    poll: status.poll && pollOf(status.poll),
    replies: status.replies_count,
    boosts: status.reblogs_count,
    favourites: status.favourites_count,
  }
}

function mediaOf(media: MediaAttachment): NonNullable<Post['media']>[number] {
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

function pollOf(poll: Poll): NonNullable<Post['poll']> {
  return {
    options: poll.options.map(({ title, votes_count: votes }) => ({ title, votes })),
    votes: poll.votes_count,
    ended: poll.expired,
  }
}
