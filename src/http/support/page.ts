import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRegistrationsMode } from '../../domain/accounts/registrations.ts'
import type { Ctx } from '../../domain/context.ts'
import { readSettings } from '../../domain/instance/settings.ts'
import { readSite } from '../../domain/instance/site.ts'
import { listTerms } from '../../domain/instance/terms.ts'
import type { Account } from '../../entities/account.ts'
import type { CustomEmoji } from '../../entities/emoji.ts'
import { acceptedLanguages } from '../../lib/accept-language.ts'
import { selectLocale } from '../../lib/messages/locales.ts'
import type { Locale } from '../../lib/messages/locales.ts'
import { displayDomain } from '../../lib/usernames.ts'
import type { Config } from '../../platform/config.ts'
import { renderAccount } from '../../render/accounts.ts'
import type { Emoji } from '../pages/layout/emoji.ts'
import type { Frame } from '../pages/layout/layout.ts'
import type { PageAccount } from '../pages/layout/page-account.ts'
import { csrfToken } from './session.ts'

/**
 * What a page of ours may load: its own stylesheet and pictures, and nothing that runs. Forms go to this server only,
 * which is why a consent is answered by a page that leads on to the application.
 */
function policyOf({ filesUrl, mediaCacheBytes }: Config): string {
  // Without a cache, what lies on other servers is shown from there.
  const files = mediaCacheBytes === 0 ? 'https:' : ''
  const places = [`'self'`, new URL(filesUrl).origin, files].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    "style-src 'self'",
    "manifest-src 'self'",
    `img-src ${places} data:`,
    `media-src ${places}`,
    "base-uri 'none'",
  ].join('; ')
}

/** What all pages show of the server may be this old on those that are for everybody. */
const FRESH_MS = 1_000

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * Sends a page inside its frame: the reader's language, the site, who is signed in, and the token for its forms.
 * `formless`: a page without forms, which needs no token and so no cookie.
 * `formTarget`: a source of the content security policy that a form of this one page may post to, beside ourselves.
 */
export async function sendPage(
  ctx: Ctx,
  { request, reply, page, flash, formless = false, formTarget }: Exchange & PageToSend,
): Promise<FastifyReply> {
  const [site, registrations, viewer] = await Promise.all([
    readSite(ctx),
    readRegistrationsMode(ctx),
    request.viewer && findPageAccount(ctx, { accountId: request.viewer.accountId }),
  ])
  const frame: Frame = {
    ...plainFrame(ctx, request),
    siteTitle: site.title,
    registrations,
    viewer,
    csrf: formless ? '' : csrfToken(ctx, request, reply),
    flash: flash ?? null,
  }
  return sendHtml(ctx, reply, { html: page(frame), formTarget })
}

/**
 * Sends a page that is the same for everybody but for its head: kept by caches for a moment where nobody is signed in,
 * and told by its tag whether it changed. It sets no cookie. `framable`: other sites may show it in a frame.
 */
export async function sendPublicPage(
  ctx: Ctx,
  {
    request,
    reply,
    page,
    noindex = false,
    framable = false,
  }: Exchange & { page: (frame: Frame) => string; noindex?: boolean; framable?: boolean },
): Promise<FastifyReply> {
  const [surroundings, viewer] = await Promise.all([
    freshSurroundings(ctx),
    request.viewer && !framable ? findPageAccount(ctx, { accountId: request.viewer.accountId }) : null,
  ])
  const html = page({ ...plainFrame(ctx, request), ...surroundings, viewer })
  if (noindex) reply.header('x-robots-tag', 'noindex')
  if (framable) reply.removeHeader('x-frame-options')
  if (reply.statusCode === 200 && isUnchanged({ request, reply, body: html })) return reply.code(304).send()
  return sendHtml(ctx, reply, { html, framable })
}

/** Tags an answer by its content. Whether the caller has that very content already. */
export function isUnchanged({ request, reply, body }: Exchange & { body: string }): boolean {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  const known = request.headers['if-none-match']
  // A proxy that compresses calls the same content weakly the same.
  return known !== undefined && known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

type Surroundings = Pick<Frame, 'siteTitle' | 'registrations' | 'hasPrivacyPolicy' | 'hasTerms' | 'sourceUrl'>

async function readSurroundings(ctx: Ctx): Promise<Surroundings> {
  const [settings, registrations, terms] = await Promise.all([
    readSettings(ctx),
    readRegistrationsMode(ctx),
    listTerms(ctx, { now: ctx.now() }),
  ])
  return {
    siteTitle: settings.title,
    registrations,
    hasPrivacyPolicy: settings['privacy-policy'] !== '',
    hasTerms: terms.some(({ effective }) => effective),
    sourceUrl: settings['source-code'] || null,
  }
}

const kept = new WeakMap<Config, { at: number; surroundings: Promise<Surroundings> }>()

/** What the frame of a page tells of the server, asked once a second at most. */
async function freshSurroundings(ctx: Ctx): Promise<Surroundings> {
  const known = kept.get(ctx.config)
  if (known && Date.now() - known.at < FRESH_MS) return known.surroundings
  const surroundings = readSurroundings(ctx)
  kept.set(ctx.config, { at: Date.now(), surroundings })
  // What could not be read now is asked again by the next request.
  surroundings.catch(() => kept.delete(ctx.config))
  return surroundings
}

interface PageToSend {
  page: (frame: Frame) => string
  flash?: Frame['flash']
  formless?: boolean
  formTarget?: string
}

/** Sends a page that has no form and asks nothing of the database, which may be what is wrong. */
export function sendPlainPage(
  ctx: Ctx,
  { request, reply, page, flash }: Exchange & Omit<PageToSend, 'formless' | 'formTarget'>,
): FastifyReply {
  return sendHtml(ctx, reply, { html: page({ ...plainFrame(ctx, request), flash: flash ?? null }) })
}

/** An account as a page shows it. */
export async function findPageAccount(ctx: Ctx, { accountId }: { accountId: string }): Promise<PageAccount> {
  return pageAccountOf(ctx, JSON.parse(await renderAccount(ctx, { id: accountId })) as Account)
}

export function pageAccountOf(ctx: Ctx, account: Account): PageAccount {
  return {
    name: account.display_name,
    handle: account.acct.includes('@') ? account.acct : `${account.acct}@${displayDomain(ctx.config.localDomain)}`,
    url: account.url,
    avatar: account.avatar_static.endsWith('/missing.png') ? null : account.avatar_static,
    emojis: stillEmojis(account.emojis),
  }
}

/** Nothing on a page moves by itself. */
export function stillEmojis(emojis: readonly CustomEmoji[]): Emoji[] {
  return emojis.map(({ shortcode, static_url: url }) => ({ shortcode, url }))
}

function plainFrame(ctx: Ctx, request: FastifyRequest): Frame {
  return {
    locale: localeOf(ctx, request),
    siteTitle: ctx.config.webDomain,
    domain: displayDomain(ctx.config.localDomain),
    version: ctx.config.version,
    csrf: '',
    registrations: 'none',
  }
}

/**
 * Returns the language that the reader prefers, whether or not there is a catalogue for it (BCP 47): the parameter
 * `lang` (Mastodon: GET /oauth/authorize), the setting of the user who is logged in, the first of `Accept-Language`, the
 * server's default.
 */
export function languageOf(ctx: Ctx, request: FastifyRequest): string {
  const accepted = acceptedLanguages(request.headers['accept-language'])
  const tags = [askedLanguage(request), request.viewer?.locale, ...accepted]
  return tags.find((tag) => tag && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag)) ?? ctx.config.defaultLocale
}

/** Returns the language of the page for a request: of the same preferences, the first that has a catalogue. */
export function localeOf(ctx: Ctx, request: FastifyRequest): Locale {
  return selectLocale({
    asked: askedLanguage(request),
    setting: request.viewer?.locale,
    acceptLanguage: request.headers['accept-language'],
    serverDefault: ctx.config.defaultLocale,
  })
}

function askedLanguage(request: FastifyRequest): string | null {
  // The schemas of most routes remove the parameter from `request.query`.
  const [, query] = request.url.split('?', 2)
  return query === undefined ? null : new URLSearchParams(query).get('lang')
}

function sendHtml(
  ctx: Ctx,
  reply: FastifyReply,
  { html, formTarget, framable = false }: { html: string; formTarget?: string | undefined; framable?: boolean },
): FastifyReply {
  const forms = formTarget ? `form-action 'self' ${formTarget}` : "form-action 'self'"
  const frames = framable ? 'frame-ancestors *' : "frame-ancestors 'none'"
  const policy = `${policyOf(ctx.config)}; ${frames}; ${forms}`
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
