import type { Static } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readCleanupPolicy, saveCleanupPolicy } from '../../../domain/statuses/cleanup/cleanup-policy.ts'
import type { CleanupPolicy } from '../../../domain/statuses/cleanup/cleanup-policy.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { codeOf, requireUser, problemsOf } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { statusesCleanupPage } from './template.ts'

const Body = formOf({
  enabled: Field,
  min_age: Field,
  keep_pinned: Field,
  keep_direct: Field,
  keep_favourited: Field,
  keep_bookmarked: Field,
  keep_polls: Field,
  keep_media: Field,
  min_favourites: Field,
  min_reblogs: Field,
})

/** The automated deletion of the user's old posts (Mastodon: /statuses_cleanup). */
export async function statusesCleanup(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.statusesCleanup, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.statusesCleanup })
    if (!user) return reply
    const policy = await readCleanupPolicy(ctx, user)
    return sendPage(ctx, { request, reply, page: (frame) => statusesCleanupPage(frame, { policy }) })
  })

  api.post(paths.statusesCleanup, { schema: { hide: true, body: Body } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.statusesCleanup })
    if (!user) return reply
    const { userId } = user
    const { min_favourites: minFavourites = '', min_reblogs: minReblogs = '' } = request.body
    const policy = readForm(request.body)
    const errors = await problemsOf(ctx.write((tx) => saveCleanupPolicy(tx, { userId, policy })))
    const input = { policy, thresholds: { minFavourites, minReblogs }, saved: errors.length === 0, errors }
    return sendPage(ctx, { request, reply: codeOf(reply, errors), page: (frame) => statusesCleanupPage(frame, input) })
  })
}

/** Returns the policy that a form contains. Numbers that it lacks are 0, which is not valid. */
function readForm(body: Static<typeof Body>): CleanupPolicy {
  return {
    enabled: body.enabled !== undefined,
    minAgeSeconds: readNumber(body.min_age) ?? 0,
    keepPinned: body.keep_pinned !== undefined,
    keepDirect: body.keep_direct !== undefined,
    keepFavourited: body.keep_favourited !== undefined,
    keepBookmarked: body.keep_bookmarked !== undefined,
    keepPolls: body.keep_polls !== undefined,
    keepMedia: body.keep_media !== undefined,
    minFavourites: readNumber(body.min_favourites),
    minReblogs: readNumber(body.min_reblogs),
  }
}

/** Returns the number in a field; null if the field is empty, 0 if it contains something else. */
function readNumber(text = ''): number | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  return /^\d{1,10}$/.test(trimmed) ? Number(trimmed) : 0
}
