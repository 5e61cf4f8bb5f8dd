import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { findAttachedStatus } from '../../../domain/media/find-attached-status.ts'
import { findVisibleStatus } from '../../../domain/access/visibility.ts'
import type { MediaAttachment } from '../../../entities/statuses/media.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { isolateDirectionOfText } from '../../../lib/html/html.ts'
import { renderStatus } from '../../../render/statuses/render-statuses.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { pageAccountOf, sendPublicPage } from '../../support/response/send-page.ts'
import { nameOf } from '../layout/page-account.ts'
import { playerPage } from './template.ts'
import { mediaOf } from '../post/post-of.ts'
import { message } from '../../../lib/messages/message.ts'

/**
 * Media attachments by their ids: a redirect to the file, and a player that other sites may embed (Mastodon:
 * GET /media/:id, GET /media/:id/player).
 */
export async function media(api: TypedFastify, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: IdParams }

  api.get('/media/:id', { schema }, async (request, reply) => {
    const { attachment } = await findVisibleMedia(ctx, { request, id: request.params.id })
    const url = attachment.url ?? attachment.remote_url
    if (url === null) throw new NotFoundError()
    return reply.redirect(url, 302)
  })

  api.get('/media/:id/player', { schema }, async (request, reply) => {
    const { attachment, status } = await findVisibleMedia(ctx, { request, id: request.params.id })
    const author = isolateDirectionOfText(nameOf(pageAccountOf(ctx, status.account)))
    return sendPublicPage(ctx, {
      request,
      reply,
      framable: true,
      noindex: true,
      page: (frame) =>
        playerPage(frame, {
          media: mediaOf(attachment),
          title: message(frame.locale, 'post.title-of', { name: author }),
        }),
    })
  })
}

/**
 * Returns a media attachment with its status.
 * @throws NotFoundError if the status is not visible to the viewer, or if the attachment belongs to no status yet
 */
async function findVisibleMedia(
  ctx: Ctx,
  { request, id }: { request: FastifyRequest; id: string },
): Promise<{ attachment: MediaAttachment; status: Status }> {
  // Users whose accounts are not usable see what is public.
  const viewerId = request.viewer?.accountState === 'usable' ? request.viewer.accountId : null
  const attachedTo = await findAttachedStatus(ctx, { mediaId: id })
  const { id: statusId } = await findVisibleStatus(ctx, { id: attachedTo, viewerId })
  const status = parseEntity(await ctx.read(renderStatus, { id: statusId, viewerId }))
  // An edit may have removed the attachment from the status.
  const attachment = status.media_attachments.find((one) => one.id === id)
  if (!attachment) throw new NotFoundError()
  return { attachment, status }
}
