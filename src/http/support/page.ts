import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRegistrationsMode } from '../../domain/accounts/registrations.ts'
import type { Ctx } from '../../domain/context.ts'
import { readSite } from '../../domain/instance/site.ts'
import type { Account } from '../../entities/account.ts'
import { renderAccount } from '../../render/accounts.ts'
import type { Frame } from '../pages/layout.ts'
import type { Person } from '../pages/person.ts'
import { csrfToken } from './session.ts'

/**
 * What a page of ours may load: its own stylesheet and pictures, and nothing that runs. Forms go to this server only,
 * which is why a consent is answered by a page that leads on to the application.
 */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self' https:",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

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
    request.viewer && findPerson(ctx, { accountId: request.viewer.accountId }),
  ])
  const frame: Frame = {
    ...plainFrame(ctx, request),
    siteTitle: site.title,
    registrations,
    viewer,
    csrf: formless ? '' : csrfToken(ctx, request, reply),
    flash: flash ?? null,
  }
  return sendHtml(reply, { html: page(frame), formTarget })
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
  return sendHtml(reply, { html: page({ ...plainFrame(ctx, request), flash: flash ?? null }) })
}

/** An account as a page shows it. */
export async function findPerson(ctx: Ctx, { accountId }: { accountId: string }): Promise<Person> {
  return personOf(ctx, JSON.parse(await renderAccount(ctx, { id: accountId })) as Account)
}

export function personOf(ctx: Ctx, account: Account): Person {
  return {
    name: account.display_name,
    handle: account.acct.includes('@') ? account.acct : `${account.acct}@${ctx.config.localDomain}`,
    url: account.url,
    avatar: account.avatar_static.endsWith('/missing.png') ? null : account.avatar_static,
    emojis: account.emojis,
  }
}

function plainFrame(ctx: Ctx, request: FastifyRequest): Frame {
  return {
    lang: languageOf(request),
    siteTitle: ctx.config.webDomain,
    domain: ctx.config.localDomain,
    version: ctx.config.version,
    csrf: '',
    registrations: 'none',
  }
}

/** The language that the reader asks for: by the parameter `lang`, else the first that the browser names. */
export function languageOf(request: FastifyRequest): string {
  const asked = (request.query as { lang?: unknown } | undefined)?.lang
  const tag = typeof asked === 'string' ? asked : (request.headers['accept-language'] ?? '').split(/[,;]/)[0]!.trim()
  return /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(tag) ? tag : 'en'
}

function sendHtml(
  reply: FastifyReply,
  { html, formTarget }: { html: string; formTarget?: string | undefined },
): FastifyReply {
  const forms = formTarget ? `form-action 'self' ${formTarget}` : "form-action 'self'"
  return reply.header('content-security-policy', `${POLICY}; ${forms}`).type('text/html; charset=utf-8').send(html)
}
