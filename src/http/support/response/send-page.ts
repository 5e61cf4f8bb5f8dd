import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  readRegistrationsMode,
  readRegistrationsModeFor,
} from '../../../domain/accounts/registration/read-registrations-mode.ts'
import type { Ctx } from '../../../domain/context.ts'
import { readSettings } from '../../../domain/instance/instance-settings.ts'
import { readInstanceInformation } from '../../../domain/instance/instance-information.ts'
import { listTerms } from '../../../domain/instance/terms-of-service.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import type { CustomEmoji } from '../../../entities/statuses/emoji.ts'
import { acceptedLanguages } from '../../../lib/accept-language.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { selectLocale } from '../../../lib/messages/locales.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { displayDomain } from '../../../lib/usernames.ts'
import type { Config } from '../../../platform/config/config.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import { passkeyScript } from '../../pages/layout/passkey-script.ts'
import type { Emoji } from '../../pages/layout/emoji.ts'
import type { Frame } from '../../pages/layout/layout.ts'
import { themeOf } from '../../pages/layout/theme.ts'
import type { PageAccount } from '../../pages/layout/page-account.ts'
import { csrfToken } from '../auth/session.ts'

/**
 * Returns the content security policy of pages: the stylesheet, images and media, and no scripts
 * (but see `sendPage`). Forms may post to
 * this server only, unless `formTarget` permits another one. `widget`: sources of scripts, styles, frames and
 * connections of a page that contains a widget of another service.
 */
function contentSecurityPolicyOf({ filesUrl, mediaCacheBytes }: Config, { widget }: { widget: string }): string {
  // Without a remote media cache, browsers load remote media from their own servers.
  const files = mediaCacheBytes === 0 ? 'https:' : ''
  const sources = [`'self'`, new URL(filesUrl).origin, files].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    `style-src ${`'self' ${widget}`.trim()}`,
    ...(widget === '' ? [] : [`script-src ${widget}`, `frame-src ${widget}`, `connect-src ${widget}`]),
    "manifest-src 'self'",
    `img-src ${sources} data:`,
    `media-src ${sources}`,
    "base-uri 'none'",
  ].join('; ')
}

/** How long public pages may use cached settings of the server. */
const SITE_INFO_CACHE_MS = 1_000

type RequestAndReply = { request: FastifyRequest; reply: FastifyReply }

/**
 * Sends a page with its frame: the language, the site, the user who is logged in, and the CSRF token of its forms.
 * `formless`: a page without forms, which needs no CSRF token and therefore no cookie.
 * `formTarget`: a source of the content security policy to which forms of this page may post, in addition to this
 * server and the providers of external log-ins. `widget`: sources of the content security policy for a widget of another
 * service. `withPasskeys`: the page has the script for passkeys.
 */
export async function sendPage(
  ctx: Ctx,
  {
    request,
    reply,
    page,
    flash,
    formless = false,
    formTarget,
    widget,
    withPasskeys = false,
  }: RequestAndReply & PageOptions,
): Promise<FastifyReply> {
  const { providers } = ctx.externalLogins
  const [site, origins, registrations, viewer] = await Promise.all([
    readInstanceInformation(ctx),
    Promise.all(providers.map((provider) => provider.listOrigins())),
    readRegistrationsModeFor(ctx, { ip: request.clientIp }),
    request.viewer && findPageAccount(ctx, { accountId: request.viewer.accountId }),
  ])
  const frame: Frame = {
    ...baseFrame(ctx, request),
    siteTitle: site.title,
    registrations,
    viewer,
    csrf: formless ? '' : csrfToken(ctx, request, reply),
    flash: flash ?? null,
    ...(withPasskeys && { script: passkeyScript.element }),
  }
  // A host may contain characters that would end the directive of the policy.
  const providerOrigins = origins.flat().filter((origin) => /^https?:\/\/[\w.:[\]-]+$/.test(origin))
  const formTargets = [formTarget, ...providerOrigins].filter(Boolean).join(' ')
  const script = withPasskeys ? passkeyScript.path : null
  return sendHtml(ctx, reply, { html: page(frame), formTarget: formTargets, widget, script })
}

/**
 * Sends a page that is the same for all viewers except for its header. Shared caches may store it briefly if the user
 * is not logged in, and revalidate it by its ETag. It sets no cookie. `framable`: other sites may embed it.
 */
export async function sendPublicPage(
  ctx: Ctx,
  {
    request,
    reply,
    page,
    noindex = false,
    framable = false,
  }: RequestAndReply & { page: (frame: Frame) => string; noindex?: boolean; framable?: boolean },
): Promise<FastifyReply> {
  const [siteInfo, viewer] = await Promise.all([
    cachedSiteInfo(ctx),
    request.viewer && !framable ? findPageAccount(ctx, { accountId: request.viewer.accountId }) : null,
  ])
  const html = page({ ...baseFrame(ctx, request), ...siteInfo, viewer })
  if (noindex) reply.header('x-robots-tag', 'noindex')
  if (framable) reply.removeHeader('x-frame-options')
  // Browsers replace the headers of a stored page by those of a 304 (RFC 9111 §4.3.4), so both have the same policy.
  setPolicy(ctx, reply, { framable })
  if (reply.statusCode === 200 && isNotModified({ request, reply, body: html })) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(html)
}

/** Sets the ETag of a response, and returns whether the client already has the same content. */
export function isNotModified({ request, reply, body }: RequestAndReply & { body: string }): boolean {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  reply.header('etag', etag)
  const ifNoneMatch = request.headers['if-none-match']
  // Proxies that compress a response make its ETag weak.
  return ifNoneMatch !== undefined && ifNoneMatch.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
}

type SiteInfo = Pick<Frame, 'siteTitle' | 'registrations' | 'hasPrivacyPolicy' | 'hasTerms' | 'sourceUrl'>

async function readSiteInfo(ctx: Ctx): Promise<SiteInfo> {
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

const siteInfoCache = new WeakMap<Config, { at: number; siteInfo: Promise<SiteInfo> }>()

/** Returns the information about the site that the frame shows. Reads it at most once per second. */
async function cachedSiteInfo(ctx: Ctx): Promise<SiteInfo> {
  const cached = siteInfoCache.get(ctx.config)
  if (cached && performance.now() - cached.at < SITE_INFO_CACHE_MS) return cached.siteInfo
  const siteInfo = readSiteInfo(ctx)
  siteInfoCache.set(ctx.config, { at: performance.now(), siteInfo })
  // After an error, the next request reads the information again.
  siteInfo.catch(() => siteInfoCache.delete(ctx.config))
  return siteInfo
}

interface PageOptions {
  page: (frame: Frame) => string
  flash?: Frame['flash']
  formless?: boolean
  formTarget?: string
  widget?: string
  withPasskeys?: boolean
}

/** Sends a page without forms and without database queries, for errors that may be caused by the database. */
export function sendPlainPage(
  ctx: Ctx,
  { request, reply, page, flash }: RequestAndReply & Pick<PageOptions, 'page' | 'flash'>,
): FastifyReply {
  return sendHtml(ctx, reply, { html: page({ ...baseFrame(ctx, request), flash: flash ?? null }) })
}

/**
 * Sends the page of an error: with the name of the site and its links, or, after an error that may be caused by the
 * database, without database queries.
 */
export async function sendErrorPage(
  ctx: Ctx,
  { request, reply, page }: RequestAndReply & Pick<PageOptions, 'page'>,
): Promise<FastifyReply> {
  const siteInfo = reply.statusCode < 500 ? await cachedSiteInfo(ctx).catch(() => null) : null
  return sendHtml(ctx, reply, { html: page({ ...baseFrame(ctx, request), ...siteInfo }) })
}

/** Loads an account in the form that pages show. */
export async function findPageAccount(ctx: Ctx, { accountId }: { accountId: string }): Promise<PageAccount> {
  return pageAccountOf(ctx, parseEntity(await ctx.read(renderAccount, { id: accountId })))
}

/** Converts a rendered account to the form that pages show. */
export function pageAccountOf(ctx: Ctx, account: Account): PageAccount {
  return {
    name: account.display_name,
    handle: account.acct.includes('@') ? account.acct : `${account.acct}@${displayDomain(ctx.config.localDomain)}`,
    url: account.url,
    avatar: account.avatar_static.endsWith('/missing.png') ? null : account.avatar_static,
    emojis: staticEmojis(account.emojis),
  }
}

/** Returns the static images of custom emojis, since pages show no animations. */
export function staticEmojis(emojis: readonly CustomEmoji[]): Emoji[] {
  return emojis.map(({ shortcode, static_url: url }) => ({ shortcode, url }))
}

function baseFrame(ctx: Ctx, request: FastifyRequest): Frame {
  return {
    locale: localeOf(ctx, request),
    theme: themeOf(request.cookies),
    siteTitle: ctx.config.webDomain,
    domain: displayDomain(ctx.config.localDomain),
    version: ctx.config.version,
    csrf: '',
    ...(request.viewer && { accountState: request.viewer.accountState }),
    registrations: 'none',
    logins: {
      providers: ctx.externalLogins.providers,
      areExternal: ctx.externalLogins.providers.length > 0 || ctx.externalLogins.directory !== null,
      acceptsPasswords: !ctx.config.singleSignOn.only,
      signUpUrl: ctx.config.singleSignOn.signUpUrl,
    },
  }
}

/**
 * Returns the language that the reader prefers, whether or not there is a catalogue for it (BCP 47): the parameter
 * `lang` (Mastodon: GET /oauth/authorize), the setting of the user who is logged in, the first of `Accept-Language`,
 * the server's default.
 */
export function languageOf(ctx: Pick<Ctx, 'config'>, request: FastifyRequest): string {
  const accepted = acceptedLanguages(request.headers['accept-language'])
  const tags = [requestedLanguage(request), request.viewer?.locale, ...accepted]
  return tags.find((tag) => tag && /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag)) ?? ctx.config.defaultLocale
}

/**
 * Returns the languages for errors of the API, the preferred ones first. As in Mastodon, those that the client names
 * precede the setting of the user, since an app knows in which language it is shown.
 */
export function languagesOfClient(ctx: Pick<Ctx, 'config'>, request: FastifyRequest): string[] {
  const accepted = acceptedLanguages(request.headers['accept-language'])
  const tags = [requestedLanguage(request), ...accepted, request.viewer?.locale, ctx.config.defaultLocale]
  return tags.filter((tag) => typeof tag === 'string')
}

/** Returns the language of the page for a request: of the same preferences, the first that has a catalogue. */
export function localeOf(ctx: Ctx, request: FastifyRequest): Locale {
  return selectLocale({
    requested: requestedLanguage(request),
    setting: request.viewer?.locale,
    acceptLanguage: request.headers['accept-language'],
    serverDefault: ctx.config.defaultLocale,
  })
}

function requestedLanguage(request: FastifyRequest): string | null {
  // The schemas of most routes remove the parameter from `request.query`.
  const [, query] = request.url.split('?', 2)
  return query === undefined ? null : new URLSearchParams(query).get('lang')
}

interface PagePolicy {
  formTarget?: string | undefined
  widget?: string | undefined
  framable?: boolean
  script?: string | null
}

function sendHtml(ctx: Ctx, reply: FastifyReply, { html, ...policy }: PagePolicy & { html: string }): FastifyReply {
  return setPolicy(ctx, reply, policy).type('text/html; charset=utf-8').send(html)
}

/** Sets the content security policy of a page. */
function setPolicy(
  ctx: Ctx,
  reply: FastifyReply,
  { formTarget, widget = '', framable = false, script = null }: PagePolicy,
): FastifyReply {
  const forms = formTarget ? `form-action 'self' ${formTarget}` : "form-action 'self'"
  const frames = framable ? 'frame-ancestors *' : "frame-ancestors 'none'"
  // Only this script, since files of users may have the same origin.
  const scripts = script === null ? '' : `; script-src ${ctx.config.origin}${script}`
  const policy = `${contentSecurityPolicyOf(ctx.config, { widget })}; ${frames}; ${forms}${scripts}`
  return reply.header('content-security-policy', policy)
}
