import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import type { LocalAccount } from '../../../domain/accounts/lookup/find-local-account.ts'
import { toStoredDomain, lookupAccount } from '../../../domain/accounts/lookup/lookup-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { renderAccount } from '../../../render/accounts/render-accounts.ts'
import { sendPublicPage } from '../../support/response/send-page.ts'
import { suspendedPage } from './template.ts'
import { filterPubliclyVisible } from '../../../domain/access/publicly-visible.ts'
import { renderStatus } from '../../../render/statuses/render-statuses.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * Returns the local account of a profile page. Otherwise sends a reply and returns null: for a suspended account a page
 * that says so; for a remote account a redirect to its profile on its own server, or to the post `statusId` there.
 * @throws NotFoundError; GoneError as `findLocalAccount` throws it
 */
export async function findAccountOrReply(
  ctx: Ctx,
  { request, reply, name, statusId }: Exchange & { name: string; statusId?: string },
): Promise<LocalAccount | null> {
  const handle = parseHandle(name)
  if (!handle) throw new NotFoundError()
  const domain = toStoredDomain(ctx, handle.domain)
  if (domain !== '') {
    const remoteUrl = await findRemoteUrl(ctx, { handle: `${handle.username}@${domain}`, statusId })
    void reply.redirect(remoteUrl, 302)
    return null
  }
  const account = await ctx.read(findLocalAccount, { username: handle.username, now: ctx.now() })
  if (account.suspended) {
    const page = { request, reply: reply.code(403), noindex: true }
    await sendPublicPage(ctx, {
      ...page,
      page: (frame) => suspendedPage(frame, { handle: `${account.username}@${frame.domain}` }),
    })
    return null
  }
  return account
}

/**
 * Returns the URL of a remote profile, or of a publicly visible post of it, on its own server.
 * @throws NotFoundError
 */
async function findRemoteUrl(
  ctx: Ctx,
  { handle, statusId }: { handle: string; statusId: string | undefined },
): Promise<string> {
  const id = await lookupAccount(ctx, { handle })
  const account = parseEntity(await ctx.read(renderAccount, { id }))
  if (account.suspended) throw new NotFoundError()
  if (statusId === undefined) return toHttpUrl(account.url || account.uri)
  const [publicId] = await filterPubliclyVisible(ctx, { ids: [statusId] })
  if (publicId === undefined) throw new NotFoundError()
  const status = parseEntity(await ctx.read(renderStatus, { id: publicId, viewerId: null }))
  if (status.account.id !== id) throw new NotFoundError()
  return toHttpUrl(status.url ?? status.uri)
}

/** @throws NotFoundError unless the URL is http(s) */
function toHttpUrl(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new NotFoundError()
  return new URL(url).href
}
