import { Type } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { withPreviews } from '../../../../domain/media/preview.ts'
import { MAX_MEDIA } from '../../../../domain/statuses/claim-media.ts'
import { refuseLongText } from '../../../../domain/statuses/check-text.ts'
import { editStatus, isToldElsewhere } from '../../../../domain/statuses/edit.ts'
import { findVisibleStatus } from '../../../../domain/statuses/visibility.ts'
import { QuotePolicy } from '../../../../entities/approval.ts'
import { ref } from '../../../../entities/ref.ts'
import { Status, StatusEdit, StatusSource } from '../../../../entities/status.ts'
import { parseFocus } from '../../../../lib/focus.ts'
import { listJson } from '../../../../lib/entity-json.ts'
import { renderStatusEdits } from '../../../../render/statuses/render-status-edits.ts'
import { renderStatusSource } from '../../../../render/statuses/render-status-edits.ts'
import { renderStatus } from '../../../../render/statuses/render-statuses.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { DraftedPoll, readDraftedPoll } from '../../../support/drafted-poll.ts'
import { BODIES_WITH_FILES, File } from '../../../support/files.ts'
import { ById } from '../../../support/params.ts'
import { countDeed } from '../../../support/rate.ts'
import { resolveMentions } from '../../../support/resolve-mentions.ts'
import { sendJson } from '../../../support/send.ts'
import { THROTTLES } from '../../../support/throttles.ts'

const EditedStatus = Type.Object({
  status: Type.Optional(Type.String({ description: 'What is left out is cleared, except the language.' })),
  spoiler_text: Type.Optional(Type.String({ description: 'The content warning.' })),
  sensitive: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String({ description: 'ISO 639. Left out: as it was.' })),
  media_ids: Type.Optional(Type.Array(Type.String(), { description: 'Those that it shall have, in order.' })),
  media_attributes: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.String()),
        description: Type.Optional(Type.String({ description: 'The alternative text.' })),
        focus: Type.Optional(Type.String({ description: '`x,y`, each from −1 to 1.' })),
        thumbnail: Type.Optional(File),
      }),
    ),
  ),
  poll: Type.Optional(DraftedPoll),
  quote_approval_policy: Type.Optional(Type.With(QuotePolicy, { description: 'Left out: as it was.' })),
})

/** Editing a status, and what it said before. */
export async function statusEdits(api: Api, ctx: Ctx): Promise<void> {
  const tags = ['statuses']

  api.put(
    '/:id',
    {
      schema: {
        tags,
        summary: 'Edit a status',
        params: ById,
        consumes: BODIES_WITH_FILES,
        body: EditedStatus,
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { body } = request
      const { id: statusId } = request.params
      const mediaIds = body.media_ids ?? []
      // Of what it will not have, nothing changes.
      const described = (body.media_attributes ?? []).flatMap(({ id, ...rest }) =>
        id !== undefined && mediaIds.includes(id) ? [{ id, ...rest }] : [],
      )
      const thumbnails = described.slice(0, MAX_MEDIA).map(({ thumbnail }) => thumbnail?.path ?? null)
      const revision = {
        text: body.status ?? '',
        spoilerText: body.spoiler_text ?? '',
        sensitive: body.sensitive ?? false,
        language: body.language,
        mediaIds,
        poll: readDraftedPoll(body.poll),
        quotePolicy: body.quote_approval_policy,
      }
      await countDeed(ctx, { request, reply, throttle: THROTTLES.statuses, accountId }, async (spend) => {
        refuseLongText(revision)
        if (await isToldElsewhere(ctx, { accountId, statusId })) {
          await resolveMentions(ctx, { text: revision.text, onRequest: spend })
        }
        if (thumbnails.some((path) => path !== null)) spend()
        return withPreviews(ctx, { paths: thumbnails }, (previews) => {
          const mediaChanges = described.map(({ id, description, focus }, n) => ({
            id,
            description,
            focus: focus === undefined ? null : parseFocus(focus),
            preview: previews[n],
          }))
          return ctx.write((tx) => editStatus(tx, { accountId, statusId, revision: { ...revision, mediaChanges } }))
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
        summary: 'See every version of a status',
        params: ById,
        response: { 200: Type.Array(ref(StatusEdit)) },
      },
    },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id, reblog_of_id } = await findVisibleStatus(ctx, { id: request.params.id, viewerId })
      return sendJson(reply, listJson(await ctx.read(renderStatusEdits, { id: reblog_of_id ?? id, viewerId })))
    },
  )

  api.get(
    '/:id/source',
    { schema: { tags, summary: 'See a status as it was typed', params: ById, response: { 200: ref(StatusSource) } } },
    async (request) => {
      const { accountId: viewerId } = viewerOf(request)
      const { id } = await findVisibleStatus(ctx, { id: request.params.id, viewerId })
      return renderStatusSource(ctx, { id })
    },
  )
}
