import type { FastifyReply, FastifyRequest } from 'fastify'
import { addAlias, readAliases, removeAlias } from '../../../domain/accounts/aliases.ts'
import { cancelMove, findMoveTarget, MOVE_PAUSE_DAYS, moveAccount } from '../../../domain/accounts/move.ts'
import { confirmPassword } from '../../../domain/auth/own-password.ts'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import type { Account } from '../../../entities/account.ts'
import { renderAccountMap } from '../../../render/accounts.ts'
import type { Api } from '../../api.ts'
import { findPageAccount, pageAccountOf, sendPage } from '../../support/page.ts'
import { aliasesPage, migrationPage } from './template.ts'
import type { AliasesInput, MigrationInput } from './template.ts'
import { paths } from '../paths.ts'
import { Field, formOf } from '../support/form-body.ts'
import { codeOf, ownerOf, problemsOf } from '../settings/own-account.ts'

type OwnExchange = { request: FastifyRequest; reply: FastifyReply; owner: Viewer }

/** Account aliases and account migration. */
export async function migration(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.aliases, { schema: { hide: true } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.aliases })
    return owner ? showAliases(ctx, { request, reply, owner }) : reply
  })

  api.post(paths.aliases, { schema: { hide: true, body: formOf({ acct: Field }) } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.aliases })
    if (!owner) return reply
    const name = request.body.acct ?? ''
    const errors = await problemsOf(addAlias(ctx, { accountId: owner.accountId, name }))
    const input = errors.length === 0 ? { done: 'added' as const } : { value: name, errors }
    return showAliases(ctx, { request, reply: codeOf(reply, errors), owner, ...input })
  })

  api.post(paths.removeAlias, { schema: { hide: true, body: formOf({ uri: Field }) } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.aliases })
    if (!owner) return reply
    const { accountId } = owner
    await ctx.write((tx) => removeAlias(tx, { accountId, uri: request.body.uri ?? '' }))
    return showAliases(ctx, { request, reply, owner, done: 'removed' })
  })

  api.get(paths.migration, { schema: { hide: true } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.migration })
    return owner ? showMigration(ctx, { request, reply, owner }) : reply
  })

  api.post(
    paths.migration,
    { schema: { hide: true, body: formOf({ acct: Field, current_password: Field }) } },
    async (request, reply) => {
      const owner = ownerOf(request, { reply, path: paths.migration })
      if (!owner) return reply
      const { acct: name = '', current_password: password = '' } = request.body
      const errors = await problemsOf(
        confirmPassword(ctx, { userId: owner.userId, password }).then(async () =>
          moveAccount(ctx, { accountId: owner.accountId, name }),
        ),
      )
      const input = errors.length === 0 ? { done: 'done' as const } : { value: name, errors }
      return showMigration(ctx, { request, reply: codeOf(reply, errors), owner, ...input })
    },
  )

  api.post(paths.cancelMove, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const owner = ownerOf(request, { reply, path: paths.migration })
    if (!owner) return reply
    await ctx.write((tx) => cancelMove(tx, { accountId: owner.accountId }))
    return showMigration(ctx, { request, reply, owner, done: 'cancelled' })
  })
}

async function showAliases(
  ctx: Ctx,
  { request, reply, owner, ...input }: OwnExchange & Omit<AliasesInput, 'aliases'>,
): Promise<FastifyReply> {
  const named = await readAliases(ctx, { accountId: owner.accountId })
  const ids = named.map(({ accountId }) => accountId).filter((id) => id !== null)
  const known = await renderAccountMap(ctx, { ids })
  const aliases = named.map(({ uri, accountId }) => {
    const account = accountId === null ? undefined : known.get(accountId)
    return { uri, person: account === undefined ? null : pageAccountOf(ctx, JSON.parse(account) as Account) }
  })
  return sendPage(ctx, { request, reply, page: (frame) => aliasesPage(frame, { aliases, ...input }) })
}

async function showMigration(
  ctx: Ctx,
  { request, reply, owner, ...input }: OwnExchange & Omit<MigrationInput, 'movedTo' | 'pauseDays'>,
): Promise<FastifyReply> {
  const targetId = await findMoveTarget(ctx, { accountId: owner.accountId })
  const movedTo = targetId === null ? null : await findPageAccount(ctx, { accountId: targetId })
  const facts = { movedTo, pauseDays: MOVE_PAUSE_DAYS }
  return sendPage(ctx, { request, reply, page: (frame) => migrationPage(frame, { ...facts, ...input }) })
}
