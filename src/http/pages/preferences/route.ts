import { Type } from 'typebox'
import type { Static } from 'typebox'
import {
  listTimeZones,
  readUserPreferences,
  saveUserPreferences,
} from '../../../domain/accounts/preferences/user-preferences.ts'
import type { UserPreferences } from '../../../domain/accounts/preferences/user-preferences.ts'
import type { Ctx } from '../../../domain/context.ts'
import { listLanguages } from '../../../lib/text/language.ts'
import { sendPage } from '../../support/response/send-page.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { paths } from '../paths.ts'
import { codeOf, requireUser, problemsOf } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { EXPAND_MEDIA, preferencesPage, PRIVACIES, QUOTE_POLICIES } from './template.ts'
import type { Language } from './template.ts'

let languages: readonly Language[] | undefined

/** Returns all languages. They are listed at the first use, in 40 ms. */
function allLanguages(): readonly Language[] {
  languages ??= listLanguages()
  return languages
}

const Body = formOf({
  privacy: Field,
  quote_policy: Field,
  language: Field,
  sensitive: Field,
  show_application: Field,
  expand_media: Field,
  expand_spoilers: Field,
  autoplay_gifs: Field,
  aggregate_reblogs: Field,
  time_zone: Field,
  languages: Type.Optional(Type.Array(Type.String())),
})

/** The user's preferences for reading and posting (Mastodon: /settings/preferences). */
export async function preferences(api: TypedFastify, ctx: Ctx): Promise<void> {
  const choices = () => ({ languages: allLanguages(), timeZones: listTimeZones() })

  api.get(paths.preferences, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.preferences })
    if (!user) return reply
    const input = { ...choices(), preferences: await readUserPreferences(ctx, user) }
    return sendPage(ctx, { request, reply, page: (frame) => preferencesPage(frame, input) })
  })

  api.post(paths.preferences, { schema: { hide: true, body: Body } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.preferences })
    if (!user) return reply
    const { userId } = user
    const changed = readForm(request.body)
    const errors = await problemsOf(ctx.write((tx) => saveUserPreferences(tx, { userId, preferences: changed })))
    const input = { ...choices(), preferences: changed, saved: errors.length === 0, errors }
    return sendPage(ctx, { request, reply: codeOf(reply, errors), page: (frame) => preferencesPage(frame, input) })
  })
}

/** Returns the preferences that a form contains. A value that is not in its list counts as the default. */
function readForm(body: Static<typeof Body>): UserPreferences {
  return {
    timeZone: body.time_zone || null,
    chosenLanguages: [...new Set(body.languages)],
    expandMedia: EXPAND_MEDIA.find((one) => one === body.expand_media) ?? 'default',
    expandSpoilers: body.expand_spoilers !== undefined,
    autoplayGifs: body.autoplay_gifs !== undefined,
    aggregateReblogs: body.aggregate_reblogs !== undefined,
    defaultPrivacy: PRIVACIES.find((one) => one === body.privacy) ?? null,
    defaultSensitive: body.sensitive !== undefined,
    defaultLanguage: body.language || null,
    defaultQuotePolicy: QUOTE_POLICIES.find((one) => one === body.quote_policy) ?? 'public',
    showApplication: body.show_application !== undefined,
  }
}
