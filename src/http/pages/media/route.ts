import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { findAttachedStatus } from '../../../domain/media/find-attached-status.ts'
import { findVisibleStatus } from '../../../domain/statuses/visibility.ts'
import type { MediaAttachment } from '../../../entities/media.ts'
import type { Status } from '../../../entities/status.ts'
import { NotFound } from '../../../lib/errors.ts'
import { isolateText } from '../../../lib/html.ts'
import { renderStatus } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { ById } from '../../support/params.ts'
import { pageAccountOf, sendPublicPage } from '../../support/page.ts'
import { nameOf } from '../layout/page-account.ts'
import { playerPage } from './template.ts'
import { mediaOf } from '../post/post-of.ts'
import { message } from '../../../lib/messages/message.ts'

/** Media attachments by their ids: a redirect to the file, and a player that other sites may frame. */
export async function media(api: Api, ctx: Ctx): Promise<void> {
  const schema = { hide: true, params: ById }

  api.get('/media/:id', { schema }, async (request, reply) => {
    const { attachment } = await findVisibleMedia(ctx, { request, id: request.params.id })
    const url = attachment.url ?? attachment.remote_url
    if (url === null) throw new NotFound()
    return reply.redirect(url, 302)
  })

  api.get('/media/:id/player', { schema }, async (request, reply) => {
    const { attachment, status } = await findVisibleMedia(ctx, { request, id: request.params.id })
    const author = isolateText(nameOf(pageAccountOf(ctx, status.account)))
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
 * An attachment of a status that the viewer may see.
 * @throws NotFound also for media that belong to no status yet
 */
async function findVisibleMedia(
  ctx: Ctx,
  { request, id }: { request: FastifyRequest; id: string },
): Promise<{ attachment: MediaAttachment; status: Status }> {
  const viewerId = request.viewer?.accountId ?? null
  const attachedTo = await findAttachedStatus(ctx, { mediaId: id })
  const { id: statusId } = await findVisibleStatus(ctx, { id: attachedTo, viewerId })
  const status = JSON.parse(await renderStatus(ctx, { id: statusId, viewerId })) as Status
  // An edit may have withdrawn it.
  const attachment = status.media_attachments.find((one) => one.id === id)
  if (!attachment) throw new NotFound()
  return { attachment, status }
}
