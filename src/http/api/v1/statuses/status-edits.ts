import { Type } from 'typebox'
import type { FastifyReply } from 'fastify'
import type { CachedRead, Ctx } from '../../../../domain/context.ts'
import { withPreviews } from '../../../../domain/media/uploads/store-preview.ts'
import { MAX_MEDIA } from '../../../../domain/statuses/parts/claim-media.ts'
import { checkTextLength } from '../../../../domain/text/check-text.ts'
import { editStatus, isFederated } from '../../../../domain/statuses/write/edit-status.ts'
import { findVisibleStatus } from '../../../../domain/access/visibility.ts'
import { QuotePolicy } from '../../../../entities/statuses/approval.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status, StatusEdit, StatusSource } from '../../../../entities/statuses/status.ts'
import { parseFocalPoint } from '../../../../lib/parse-focal-point.ts'
import { renderStatusEdits, renderStatusSource } from '../../../../render/statuses/render-status-edits.ts'
import { renderStatus } from '../../../../render/statuses/render-statuses.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { PollParams, readPollParams } from '../../../support/request/poll-params.ts'
import { readMediaIds } from '../../../support/request/read-media-ids.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../support/uploads/uploaded-file.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import { resolveMentions } from '../../../support/request/resolve-mentions.ts'
import { sendJson, sendJsonChunks } from '../../../support/response/send.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

const EditStatusBody = Type.Object({
  status: Type.Optional(Type.String({ description: 'Omitted fields are cleared, unless they say otherwise.' })),
  spoiler_text: Type.Optional(Type.String({ description: 'The content warning.' })),
  sensitive: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String({ description: 'ISO 639. Omitted: unchanged.' })),
  media_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'All media attachments of the edited status, in order.' }),
  ),
  media_attributes: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        description: Type.Optional(Type.String({ description: 'The alternative text.' })),
        focus: Type.Optional(Type.String({ description: '`x,y`, each from −1 to 1.' })),
        thumbnail: Type.Optional(FileParam),
      }),
    ),
  ),
  poll: Type.Optional(PollParams),
  quote_approval_policy: Type.Optional(Type.With(QuotePolicy, { description: 'Omitted: unchanged.' })),
})

/** Mastodon: PUT /api/v1/statuses/:id, GET /api/v1/statuses/:id/{history,source} */
export async function statusEdits(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['statuses']

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Edit a status',
        params: IdParams,
        consumes: BODY_TYPES_WITH_FILES,
        body: EditStatusBody,
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { body } = request
      const { id: statusId } = request.params
      const mediaIds = readMediaIds(body.media_ids)
      // Attributes of media that the edited status does not contain are ignored.
      const mediaAttributes = (body.media_attributes ?? []).flatMap(({ id, ...rest }) =>
        id !== undefined && mediaIds.includes(id) ? [{ id, ...rest }] : [],
      )
      const thumbnails = mediaAttributes.slice(0, MAX_MEDIA).map(({ thumbnail }) => thumbnail?.path ?? null)
      const revision = {
        text: body.status ?? '',
        spoilerText: body.spoiler_text ?? '',
        sensitive: body.sensitive ?? false,
        language: body.language,
        mediaIds,
        poll: readPollParams(body.poll),
        quotePolicy: body.quote_approval_policy,
      }
      await countAction(ctx, { request, reply, throttle: THROTTLES.statuses, accountId }, async (preventRefund) => {
        checkTextLength(revision)
        const texts = (await isFederated(ctx, { accountId, statusId }))
          ? await resolveMentions(ctx, { ...revision, onRequest: preventRefund })
          : {}
        if (thumbnails.some((path) => path !== null)) preventRefund()
        return withPreviews(ctx, { paths: thumbnails }, (previews) => {
          const mediaChanges = mediaAttributes.map(({ id, description, focus }, n) => ({
            id,
            description,
            focus: focus === undefined ? null : parseFocalPoint(focus),
            preview: previews[n],
          }))
          return ctx.write((tx) =>
            editStatus(tx, { accountId, statusId, revision: { ...revision, ...texts, mediaChanges } }),
          )
        })
      })
      return sendJson(reply, await ctx.read(renderStatus, { id: statusId, viewerId: accountId }))
    },
  )

  api.get(
    '/:id/history',
    {
      schema: {
        tags,
        summary: 'View the edit history of a status',
        params: IdParams,
        response: { 200: Type.Array(ref(StatusEdit)) },
      },
    },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id, reblog_of_id } = await findVisibleStatus(ctx, { id: request.params.id, viewerId })
      return ctx.read(sendStatusEdits, { reply, id: reblog_of_id ?? id, viewerId })
    },
  )

  api.get(
    '/:id/source',
    {
      schema: { tags, summary: 'View the source of a status', params: IdParams, response: { 200: ref(StatusSource) } },
    },
    async (request) => {
      const { accountId: viewerId } = viewerOf(request)
      const { id } = await findVisibleStatus(ctx, { id: request.params.id, viewerId })
      return renderStatusSource(ctx, { id })
    },
  )
}

async function sendStatusEdits(
  read: CachedRead,
  { reply, id, viewerId }: { reply: FastifyReply; id: string; viewerId: string | null },
): Promise<FastifyReply> {
  return sendJsonChunks(reply, renderStatusEdits(read, { id, viewerId }))
}
