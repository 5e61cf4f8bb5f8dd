import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../domain/context.ts'
import { checkTextLength } from '../../../../domain/text/check-text.ts'
import { deleteStatus } from '../../../../domain/statuses/write/delete-status.ts'
import { UnexpectedMentionsError } from '../../../../domain/statuses/write/check-drafts.ts'
import type { StatusDraft } from '../../../../domain/statuses/write/check-drafts.ts'
import { postStatus } from '../../../../domain/statuses/submit/post-status.ts'
import { filterVisibleStatuses } from '../../../../domain/access/find-visible-statuses.ts'
import { findVisibleStatus } from '../../../../domain/access/visibility.ts'
import { QuotePolicy } from '../../../../entities/statuses/approval.ts'
import { oneOf } from '../../../../entities/schema/one-of.ts'
import { ScheduledStatus } from '../../../../entities/statuses/scheduled-status.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { Status } from '../../../../entities/statuses/status.ts'
import { parseEntity } from '../../../../lib/json/json-content.ts'
import { UnprocessableError } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import { renderAccounts } from '../../../../render/accounts/render-accounts.ts'
import { renderScheduledStatus } from '../../../../render/statuses/render-scheduled-statuses.ts'
import { renderHiddenStatus, renderStatusToDelete } from '../../../../render/statuses/render-altered-status.ts'
import { renderNewStatus } from '../../../../render/statuses/render-new-status.ts'
import { renderStatus, renderStatusPage } from '../../../../render/statuses/render-statuses.ts'
import type { TypedFastify, ReadApi } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'
import { PollParams, readPollParams } from '../../../support/request/poll-params.ts'
import { readMediaIds } from '../../../support/request/read-media-ids.ts'
import { IdParams } from '../../../support/request/path-params.ts'
import { countAction } from '../../../support/rate-limits/rate-limits.ts'
import { resolveMentions } from '../../../support/request/resolve-mentions.ts'
import { readScheduledAt } from '../../../support/request/read-scheduled-at.ts'
import { sendJson } from '../../../support/response/send.ts'
import { THROTTLES } from '../../../support/rate-limits/throttles.ts'

/** The most ids that one request for several statuses may list. */
const MAX_IDS = 20

/** Longer idempotency keys are cut: no well-behaved client sends one. */
const MAX_IDEMPOTENCY_KEY_CHARACTERS = 255

const PostStatusBody = Type.Object({
  status: Type.Optional(Type.String()),
  spoiler_text: Type.Optional(Type.String({ description: 'The content warning.' })),
  visibility: Type.Optional(oneOf(['public', 'unlisted', 'private', 'direct'])),
  sensitive: Type.Optional(Type.Boolean()),
  language: Type.Optional(Type.String({ description: 'ISO 639.' })),
  in_reply_to_id: Type.Optional(Type.String()),
  media_ids: Type.Optional(Type.Array(Type.String())),
  poll: Type.Optional(PollParams),
  quoted_status_id: Type.Optional(Type.String()),
  quote_approval_policy: Type.Optional(
    Type.With(QuotePolicy, {
      description: 'Statuses that are neither public nor unlisted can only be quoted by their author.',
    }),
  ),
  allowed_mentions: Type.Optional(
    Type.Array(Type.String(), { description: 'Ids of the only accounts that the status may mention.' }),
  ),
  local_only: Type.Optional(Type.Boolean({ description: 'Do not send the status to other servers.' })),
  scheduled_at: Type.Optional(
    Type.String({
      description: 'ISO 8601. More than five minutes ahead: the status is published then. In the past: at once.',
    }),
  ),
})

const StatusOrScheduled = Type.Union([ref(Status), ref(ScheduledStatus)])

/** Mastodon: GET /api/v1/statuses?id[]=… */
export function severalStatuses(api: ReadApi): void {
  api.get(
    '',
    {
      schema: {
        tags: ['statuses'],
        summary: 'View several statuses',
        querystring: Type.Object({ id: Type.Optional(Type.Array(Type.String())) }),
        response: { 200: Type.Array(ref(Status)) },
      },
    },
    async (read, request, reply) => {
      const requestedIds = [...new Set(request.query.id)]
      if (requestedIds.length > MAX_IDS) throw new UnprocessableError('Mastodon::ValidationError')
      const viewerId = request.viewer?.accountId ?? null
      const ids = await filterVisibleStatuses(read, { ids: requestedIds.filter(isId), viewerId })
      return sendJson(reply, await renderStatusPage(read, { ids, viewerId }))
    },
  )
}

/** Mastodon: POST /api/v1/statuses, GET and DELETE /api/v1/statuses/:id */
export async function statuses(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.post(
    '',
    {
      schema: {
        tags: ['statuses'],
        summary: 'Post a status',
        body: PostStatusBody,
        response: { 200: StatusOrScheduled },
      },
    },
    async (request, reply) => {
      const viewer = viewerOf(request)
      const { accountId } = viewer
      const draft = readStatusDraft(request.body)
      const key = request.headers['idempotency-key']
      const submission = {
        accountId,
        applicationId: request.bearer?.applicationId ?? null,
        draft,
        key: typeof key === 'string' && key !== '' ? key.slice(0, MAX_IDEMPOTENCY_KEY_CHARACTERS) : undefined,
        at: readScheduledAt(request.body.scheduled_at),
      }
      const submitted = await countAction(
        ctx,
        { request, reply, throttle: THROTTLES.statuses, accountId },
        async (preventRefund) => {
          checkTextLength(draft)
          const texts = draft.localOnly ? {} : await resolveMentions(ctx, { ...draft, onRequest: preventRefund })
          const resolved = { ...submission, draft: { ...draft, ...texts } }
          return postStatus(ctx, resolved).catch((err: unknown) => throwUnexpectedAccounts(ctx, err))
        },
      )
      if ('scheduledId' in submitted) {
        return reply.send(await renderScheduledStatus(ctx, { id: submitted.scheduledId }))
      }
      const { statusId } = submitted
      return sendJson(reply, await renderNewStatus(ctx, { id: statusId }))
    },
  )

  api.get(
    '/:id',
    { schema: { tags: ['statuses'], summary: 'View a status', params: IdParams, response: { 200: ref(Status) } } },
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
        params: IdParams,
        body: Type.Object({ delete_media: Type.Optional(Type.Boolean()) }),
        response: { 200: ref(Status) },
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const target = { id, viewerId: accountId }
      // The author of a reblog may not see the original any more.
      const [visibleId] = await ctx.read(filterVisibleStatuses, { ids: [id], viewerId: accountId })
      const deleted = await ctx.read(visibleId === undefined ? renderHiddenStatus : renderStatusToDelete, target)
      const deleteMedia = request.body.delete_media ?? false
      await ctx.write((tx) => deleteStatus(tx, { accountId, statusId: id, deleteMedia }))
      return sendJson(reply, deleted)
    },
  )
}

function readStatusDraft(body: Static<typeof PostStatusBody>): StatusDraft {
  return {
    text: body.status ?? '',
    spoilerText: body.spoiler_text ?? '',
    visibility: body.visibility,
    sensitive: body.sensitive,
    language: body.language,
    inReplyToId: body.in_reply_to_id,
    mediaIds: readMediaIds(body.media_ids),
    poll: readPollParams(body.poll),
    quotedId: body.quoted_status_id,
    quotePolicy: body.quote_approval_policy,
    localOnly: body.local_only ?? false,
    allowedMentions: body.allowed_mentions,
  }
}

/** Lists in the error the accounts that the text mentions and `allowed_mentions` lacks; rethrows any other error. */
async function throwUnexpectedAccounts(ctx: Ctx, err: unknown): Promise<never> {
  if (!(err instanceof UnexpectedMentionsError)) throw err
  const accounts = await ctx.read(renderAccounts, { ids: err.accountIds })
  throw new UnprocessableError(err.message, { unexpected_accounts: accounts.map(parseEntity) })
}
