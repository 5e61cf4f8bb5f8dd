import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { MAX_CHARACTERS, checkTextLength } from '../../../domain/text/check-text.ts'
import { postStatus } from '../../../domain/statuses/submit/post-status.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { UnprocessableError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { renderPreferences } from '../../../render/accounts/render-preferences.ts'
import { renderStatus } from '../../../render/statuses/render-statuses.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { countAction } from '../../support/rate-limits/rate-limits.ts'
import { resolveMentions } from '../../support/request/resolve-mentions.ts'
import { THROTTLES } from '../../support/rate-limits/throttles.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { sharedPage, sharePage, VISIBILITIES } from './template.ts'
import type { ShareInput } from './template.ts'
import { Field, formOf } from '../support/form-body.ts'

const Shared = Type.Object({ title: Field, text: Field, url: Field })

const visibilityOf = (value: unknown) => VISIBILITIES.find((known) => known === value)

/** The target of "share" buttons of other sites and devices: a form with the shared text, which publishes a post. */
export async function share(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.share, { schema: { hide: true, querystring: Shared } }, async (request, reply) => {
    const { title, text, url } = request.query
    const query = new URLSearchParams(
      Object.entries({ title, text, url }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    )
    const path = query.size === 0 ? paths.share : `${paths.share}?${query.toString()}`
    const viewer = requireUser(request, { reply, page: paths.share, path })
    if (!viewer) return reply
    const preferences = await renderPreferences(ctx, { accountId: viewer.accountId })
    return sendForm(ctx, {
      request,
      reply,
      input: {
        text: [title, text, url].filter(Boolean).join('\n'),
        warning: '',
        visibility: visibilityOf(preferences['posting:default:visibility']) ?? 'public',
        key: generateSecret(),
      },
    })
  })

  const Submitted = formOf({ text: Field, spoiler_text: Field, visibility: Field, key: Field })
  api.post(paths.share, { schema: { hide: true, body: Submitted } }, async (request, reply) => {
    const viewer = requireUser(request, { reply, page: paths.share })
    if (!viewer) return reply
    const { text = '', spoiler_text: warning = '', key = '' } = request.body
    const visibility = visibilityOf(request.body.visibility) ?? 'public'
    const result = await publish(ctx, { request, reply, viewer, key, text, warning, visibility })
    if ('errors' in result) {
      const { errors } = result
      return sendForm(ctx, { request, reply: reply.code(422), input: { text, warning, visibility, key, errors } })
    }
    if (result.url === null) return sendPage(ctx, { request, reply, page: sharedPage })
    return reply.redirect(result.url, 303)
  })
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type SubmittedPost = Pick<ShareInput, 'text' | 'warning' | 'visibility' | 'key'>

/** Publishes the post. Returns its URL, which is null if it has no public page, or the validation errors. */
async function publish(
  ctx: Ctx,
  { request, reply, viewer, text, warning, visibility, key }: Exchange & SubmittedPost & { viewer: Viewer },
): Promise<{ url: string | null } | { errors: readonly FieldError[] }> {
  const { accountId } = viewer
  const draft = { text, spoilerText: warning, visibility, mediaIds: [], localOnly: false }
  try {
    const submitted = await countAction(
      ctx,
      { request, reply, throttle: THROTTLES.statuses, accountId },
      async (markFinal) => {
        checkTextLength(draft)
        const texts = await resolveMentions(ctx, { ...draft, onRequest: markFinal })
        const resolved = { ...draft, ...texts }
        const submission = { accountId, applicationId: null, draft: resolved, key: key || undefined, at: null }
        return postStatus(ctx, submission)
      },
    )
    if (!('statusId' in submitted)) throw new Error('A status without a scheduled time was scheduled')
    const status = parseEntity(await ctx.read(renderStatus, { id: submitted.statusId, viewerId: accountId }))
    return { url: visibility === 'public' || visibility === 'unlisted' ? status.url : null }
  } catch (err) {
    if (err instanceof ValidationError) return { errors: err.fields }
    if (err instanceof UnprocessableError)
      return { errors: [{ attribute: 'text', code: 'ERR_INVALID', text: err.message }] }
    throw err
  }
}

async function sendForm(
  ctx: Ctx,
  { request, reply, input }: Exchange & { input: SubmittedPost & Pick<ShareInput, 'errors'> },
): Promise<FastifyReply> {
  const page: Parameters<typeof sendPage>[1]['page'] = (frame) =>
    sharePage(frame, { ...input, maxCharacters: MAX_CHARACTERS })
  return sendPage(ctx, { request, reply, page })
}
