import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { refuseLongText } from '../../../../domain/statuses/check-text.ts'
import { deleteStatus } from '../../../../domain/statuses/delete.ts'
import { UnexpectedMentions } from '../../../../domain/statuses/draft.ts'
import type { Draft } from '../../../../domain/statuses/draft.ts'
import { submitStatus } from '../../../../domain/statuses/submit.ts'
import { keepVisible } from '../../../../domain/statuses/keep-visible.ts'
import { findVisibleStatus } from '../../../../domain/statuses/visibility.ts'
import { QuotePolicy } from '../../../../entities/approval.ts'
import { oneOf } from '../../../../entities/one-of.ts'
import { ScheduledStatus } from '../../../../entities/scheduled-status.ts'
import { ref } from '../../../../entities/ref.ts'
import { Status } from '../../../../entities/status.ts'
import { parseEntity } from '../../../../lib/entity-json.ts'
import { Unprocessable } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderScheduledStatus } from '../../../../render/statuses/render-scheduled-statuses.ts'
import { renderStatusToDelete } from '../../../../render/statuses/render-altered-status.ts'
import { renderStatus, renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { Api, ReadApi } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { DraftedPoll, readDraftedPoll } from '../../../support/drafted-poll.ts'
import { ById } from '../../../support/params.ts'
import { countDeed } from '../../../support/rate.ts'
import { resolveMentions } from '../../../support/resolve-mentions.ts'
import { readScheduledAt } from '../../../support/scheduled-at.ts'
import { sendJson } from '../../../support/send.ts'
import { THROTTLES } from '../../../support/throttles.ts'

/** Statuses asked for by their ids in one request. */
const MAX_IDS = 20

/** A longer key can't have been made by a client in good faith. */
const MAX_KEY_CHARACTERS = 255

const NewStatus = Type.Object({
  status: Type.Optional(Type.String()),
  spoiler_text: Type.Optional(Type.String({ description: 'The content warning.' })),
  visibility: Type.Optional(oneOf(['public', 'unlisted', 'private', 'direct'])),
  sensitive: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String({ description: 'ISO 639.' })),
  in_reply_to_id: Type.Optional(Type.String()),
  media_ids: Type.Optional(Type.Array(Type.String())),
  poll: Type.Optional(DraftedPoll),
  quoted_status_id: Type.Optional(Type.String()),
  quote_approval_policy: Type.Optional(
    Type.With(QuotePolicy, { description: 'Nobody but oneself quotes what is not for everybody.' }),
  ),
  allowed_mentions: Type.Optional(Type.Array(Type.String(), { description: 'The only accounts it may mention.' })),
  local_only: Type.Optional(Type.Boolean({ description: 'Never leaves this server.' })),
  scheduled_at: Type.Optional(
    Type.String({ description: 'ISO 8601. More than five minutes ahead: it is posted then. Past: at once.' }),
  ),
})

const StatusOrScheduled = Type.Union([ref(Status), ref(ScheduledStatus)])

/** Reading several statuses. */
export function severalStatuses(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['statuses'],
        summary: 'See several statuses',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const asked = request.query.id ?? []
      if (asked.length > MAX_IDS) throw new Unprocessable('Mastodon::ValidationError')
      const viewerId = request.viewer?.accountId ?? null
      const ids = await keepVisible(read, { ids: asked.filter(isId), viewerId })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/** Posting, reading and deleting statuses. */
export async function statuses(api: Api, ctx: Ctx): Promise<void> {
  api.post(
    '',
    { schema: { tags: ['statuses'], summary: 'Post a status', body: NewStatus, response: { 200: StatusOrScheduled } } },
    async (request, reply) => {
      const viewer = viewerOf(request)
      const { accountId } = viewer
      const draft = readDraft(request.body)
      const key = request.headers['idempotency-key']
      const submission = {
        accountId,
        applicationId: request.bearer?.applicationId ?? null,
        draft,
        key: typeof key === 'string' && key !== '' ? key.slice(0, MAX_KEY_CHARACTERS) : undefined,
        at: readScheduledAt(request.body.scheduled_at),
      }
      const made = await countDeed(ctx, { request, reply, throttle: THROTTLES.statuses, accountId }, async (spend) => {
        refuseLongText(draft)
        if (!draft.localOnly) await resolveMentions(ctx, { text: draft.text, onRequest: spend })
        return ctx.write((tx) => submitStatus(tx, submission)).catch((err: unknown) => tellUnexpected(ctx, err))
      })
      if ('scheduledId' in made) {
        return reply.send(await renderScheduledStatus(ctx, { id: made.scheduledId }))
      }
      const { statusId } = made
      return sendJson(reply, await ctx.read(renderStatus, { id: statusId, viewerId: accountId }))
    },
  )

  api.get(
    '/:id',
    { schema: { tags: ['statuses'], summary: 'See a status', params: ById, response: { 200: ref(Status) } } },
    async (request, reply) => {
      const viewerId = request.viewer?.accountId ?? null
      const { id } = await findVisibleStatus(ctx, { id: request.params.id, viewerId })
      return sendJson(reply, await ctx.read(renderStatus, { id, viewerId }))
    },
  )

  api.delete(
    '/:id',
    {
      schema: {
        tags: ['statuses'],
        summary: 'Delete a status',
        params: ById,
        body: Type.Object({ delete_media: Type.Optional(Type.Boolean()) }),
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const before = await findVisibleStatus(ctx, { id, viewerId: accountId })
      const deleted = await ctx.read(renderStatusToDelete, { id: before.id, viewerId: accountId })
      const deleteMedia = request.body.delete_media ?? false
      await ctx.write((tx) => deleteStatus(tx, { accountId, statusId: id, deleteMedia }))
      return sendJson(reply, deleted)
    },
  )
}

function readDraft(body: Static<typeof NewStatus>): Draft {
  return {
    text: body.status ?? '',
    spoilerText: body.spoiler_text ?? '',
    visibility: body.visibility,
    sensitive: body.sensitive,
    language: body.language,
    inReplyToId: body.in_reply_to_id,
    mediaIds: body.media_ids ?? [],
    poll: readDraftedPoll(body.poll),
    quotedId: body.quoted_status_id,
    quotePolicy: body.quote_approval_policy,
    localOnly: body.local_only ?? false,
    allowedMentions: body.allowed_mentions,
  }
}

/** Says in the answer whom a text would have reached against its author's will. */
async function tellUnexpected(ctx: Ctx, err: unknown): Promise<never> {
  if (!(err instanceof UnexpectedMentions)) throw err
  const accounts = await ctx.read(renderAccounts, { ids: err.accountIds })
  throw new Unprocessable(err.message, { unexpected_accounts: accounts.map(parseEntity) })
}
