import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { MAX_CHARACTERS, refuseLongText } from '../../../domain/statuses/check-text.ts'
import { submitStatus } from '../../../domain/statuses/submit.ts'
import type { Status } from '../../../entities/status.ts'
import { Unprocessable, ValidationFailed } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { makeSecret } from '../../../lib/secrets.ts'
import { renderPreferences } from '../../../render/preferences.ts'
import { renderStatus } from '../../../render/statuses.ts'
import type { Api } from '../../api.ts'
import { sendPage } from '../../support/page.ts'
import { countDeed } from '../../support/rate.ts'
import { resolveMentions } from '../../support/resolve-mentions.ts'
import { THROTTLES } from '../../support/throttles.ts'
import { paths, signInPath } from '../paths.ts'
import { sharedPage, sharePage, VISIBILITIES } from './template.ts'
import type { ShareInput } from './template.ts'
import { Field, formOf } from '../support/form-body.ts'

const Shared = Type.Object({ title: Field, text: Field, url: Field })

const visibilityOf = (value: unknown) => VISIBILITIES.find((known) => known === value)

/** Where "share" buttons of other sites and devices lead: a form with the text, which publishes a post. */
export async function share(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.share, { schema: { hide: true, querystring: Shared } }, async (request, reply) => {
    const { title, text, url } = request.query
    const given = new URLSearchParams(
      Object.entries({ title, text, url }).flatMap(([name, value]) => (value ? [[name, value]] : [])),
    )
    const viewer = authorOf({
      request,
      reply,
      path: given.size === 0 ? paths.share : `${paths.share}?${given.toString()}`,
    })
    if (!viewer) return reply
    const preferences = await renderPreferences(ctx, { accountId: viewer.accountId })
    return sendForm(ctx, {
      request,
      reply,
      input: {
        text: [title, text, url].filter(Boolean).join('\n'),
        warning: '',
        visibility: visibilityOf(preferences['posting:default:visibility']) ?? 'public',
        key: makeSecret(),
      },
    })
  })

  const Submitted = formOf({ text: Field, spoiler_text: Field, visibility: Field, key: Field })
  api.post(paths.share, { schema: { hide: true, body: Submitted } }, async (request, reply) => {
    const viewer = authorOf({ request, reply, path: paths.share })
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

/** The viewer, if they may post. null: the reply leads to where they can change that, and back to `path`. */
function authorOf({ request, reply, path }: Exchange & { path: string }): Viewer | null {
  const { viewer } = request
  if (viewer?.standing === 'usable') return viewer
  void reply.redirect(viewer ? paths.account : signInPath(path), 303)
  return null
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }
type Written = Pick<ShareInput, 'text' | 'warning' | 'visibility' | 'key'>

/** Returns the URL of the post, which is null where it has no public page, or what is wrong with it. */
async function publish(
  ctx: Ctx,
  { request, reply, viewer, text, warning, visibility, key }: Exchange & Written & { viewer: Viewer },
): Promise<{ url: string | null } | { errors: readonly FieldError[] }> {
  const { accountId } = viewer
  const draft = { text, spoilerText: warning, visibility, mediaIds: [], localOnly: false }
  try {
    const made = await countDeed(ctx, { request, reply, throttle: THROTTLES.statuses, accountId }, async (spend) => {
      refuseLongText(draft)
      await resolveMentions(ctx, { text, onRequest: spend })
      const submission = { accountId, applicationId: null, draft, key: key || undefined, at: null }
      return ctx.write((tx) => submitStatus(tx, submission))
    })
    if (!('statusId' in made)) throw new Error('A post without a time was scheduled')
    const status = JSON.parse(await renderStatus(ctx, { id: made.statusId, viewerId: accountId })) as Status
    return { url: visibility === 'public' || visibility === 'unlisted' ? status.url : null }
  } catch (err) {
    if (err instanceof ValidationFailed) return { errors: err.fields }
    if (err instanceof Unprocessable) return { errors: [{ attribute: 'text', code: 'ERR_INVALID', text: err.message }] }
    throw err
  }
}

async function sendForm(
  ctx: Ctx,
  { request, reply, input }: Exchange & { input: Written & Pick<ShareInput, 'errors'> },
): Promise<FastifyReply> {
  const page: Parameters<typeof sendPage>[1]['page'] = (frame) =>
    sharePage(frame, { ...input, maxCharacters: MAX_CHARACTERS })
  return sendPage(ctx, { request, reply, page })
}
