import type { FastifyReply, FastifyRequest } from 'fastify'
import { addAlias, listAliases, removeAlias } from '../../../domain/accounts/migration/account-aliases.ts'
import {
  cancelMove,
  findMoveTarget,
  MIGRATION_COOLDOWN_DAYS,
  moveAccount,
} from '../../../domain/accounts/migration/move-account.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { renderAccountMap } from '../../../render/accounts/render-accounts.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { findPageAccount, pageAccountOf, sendPage } from '../../support/response/send-page.ts'
import { aliasesPage, migrationPage } from './template.ts'
import type { AliasesInput, MigrationInput } from './template.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { hasRecentAuthentication, requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { codeOf, requireUser, problemsOf } from '../settings/own-account.ts'
import { parseEntity } from '../../../lib/json/json-content.ts'

type UserExchange = { request: FastifyRequest; reply: FastifyReply; user: Viewer }

/** Account aliases and account migration. */
export async function migration(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.aliases, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.aliases })
    return user ? showAliases(ctx, { request, reply, user }) : reply
  })

  api.post(paths.aliases, { schema: { hide: true, body: formOf({ acct: Field }) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.aliases })
    if (!user) return reply
    const name = request.body.acct ?? ''
    const errors = await problemsOf(addAlias(ctx, { accountId: user.accountId, name }))
    const input = errors.length === 0 ? { done: 'added' as const } : { value: name, errors }
    return showAliases(ctx, { request, reply: codeOf(reply, errors), user, ...input })
  })

  api.post(paths.removeAlias, { schema: { hide: true, body: formOf({ uri: Field }) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.aliases })
    if (!user) return reply
    const { accountId } = user
    await ctx.write((tx) => removeAlias(tx, { accountId, uri: request.body.uri ?? '' }))
    return showAliases(ctx, { request, reply, user, done: 'removed' })
  })

  api.get(paths.migration, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.migration })
    return user ? showMigration(ctx, { request, reply, user }) : reply
  })

  api.post(paths.migration, { schema: { hide: true, body: formOf({ acct: Field }) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.migration })
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
    if (!user || sessionId === null) return reply
    const { accountId, userId } = user
    const { acct = '' } = request.body
    const errors = await problemsOf(moveAccount(ctx, { accountId, name: acct, session: { userId, sessionId } }))
    const input = errors.length === 0 ? { done: 'done' as const } : { value: acct, errors }
    return showMigration(ctx, { request, reply: codeOf(reply, errors), user, ...input })
  })

  api.post(paths.cancelMove, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.migration })
    if (!user) return reply
    await ctx.write((tx) => cancelMove(tx, { accountId: user.accountId }))
    return showMigration(ctx, { request, reply, user, done: 'cancelled' })
  })
}

async function showAliases(
  ctx: Ctx,
  { request, reply, user, ...input }: UserExchange & Omit<AliasesInput, 'aliases'>,
): Promise<FastifyReply> {
  const rows = await listAliases(ctx, { accountId: user.accountId })
  const ids = rows.map(({ accountId }) => accountId).filter((id) => id !== null)
  const accounts = await ctx.read(renderAccountMap, { ids })
  const aliases = rows.map(({ uri, accountId }) => {
    const json = accountId === null ? undefined : accounts.get(accountId)
    return { uri, account: json === undefined ? null : pageAccountOf(ctx, parseEntity(json)) }
  })
  return sendPage(ctx, { request, reply, page: (frame) => aliasesPage(frame, { aliases, ...input }) })
}

async function showMigration(
  ctx: Ctx,
  { request, reply, user, ...input }: UserExchange & Omit<MigrationInput, 'movedTo' | 'cooldownDays' | 'confirmed'>,
): Promise<FastifyReply> {
  const targetId = await findMoveTarget(ctx, { accountId: user.accountId })
  const movedTo = targetId === null ? null : await findPageAccount(ctx, { accountId: targetId })
  const confirmed = await hasRecentAuthentication(ctx, request)
  const facts = { movedTo, cooldownDays: MIGRATION_COOLDOWN_DAYS, confirmed }
  return sendPage(ctx, { request, reply, page: (frame) => migrationPage(frame, { ...facts, ...input }) })
}
