import type { FastifyReply, FastifyRequest } from 'fastify'
import { findLocalAccount } from '../../../domain/accounts/find-local.ts'
import type { LocalAccount } from '../../../domain/accounts/find-local.ts'
import { foreignDomain, lookupAccount } from '../../../domain/accounts/lookup.ts'
import type { Ctx } from '../../../domain/context.ts'
import type { Account } from '../../../entities/account.ts'
import { NotFound } from '../../../lib/errors.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { renderAccount } from '../../../render/accounts.ts'
import { sendPublicPage } from '../../support/page.ts'
import { suspendedPage } from './template.ts'
import { keepOpen } from '../../../domain/statuses/open.ts'
import { renderStatus } from '../../../render/statuses.ts'
import type { Status } from '../../../entities/status.ts'

type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * The person of here whose pages are asked for. null: the reply is on its way, since they are suspended, or lead a page
 * elsewhere; `statusId` says which of their posts is looked for there.
 * @throws NotFound · Gone
 */
export async function personAt(
  ctx: Ctx,
  { request, reply, name, statusId }: Exchange & { name: string; statusId?: string },
): Promise<LocalAccount | null> {
  const handle = parseHandle(name)
  if (!handle) throw new NotFound()
  const domain = foreignDomain(ctx, handle.domain)
  if (domain !== '') {
    const home = await addressElsewhere(ctx, { handle: `${handle.username}@${domain}`, statusId })
    void reply.redirect(home, 302)
    return null
  }
  const account = await findLocalAccount(ctx, { username: handle.username })
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

/** Where somebody of another server, or what they wrote for everybody, is at home. @throws NotFound */
async function addressElsewhere(
  ctx: Ctx,
  { handle, statusId }: { handle: string; statusId: string | undefined },
): Promise<string> {
  const id = await lookupAccount(ctx, { handle })
  const account = JSON.parse(await renderAccount(ctx, { id })) as Account
  if (account.suspended) throw new NotFound()
  if (statusId === undefined) return webAddress(account.url || account.uri)
  const [open] = await keepOpen(ctx, { ids: [statusId] })
  if (open === undefined) throw new NotFound()
  const status = JSON.parse(await renderStatus(ctx, { id: open, viewerId: null })) as Status
  if (status.account.id !== id) throw new NotFound()
  return webAddress(status.url ?? status.uri)
}

function webAddress(url: string): string {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) throw new NotFound()
  return new URL(url).href
}
