import { Readable } from 'node:stream'
import type { Ctx } from '../../../domain/context.ts'
import { countExports } from '../../../domain/transfers/exports/count-exports.ts'
import { exportCsv } from '../../../domain/transfers/exports/export-csv.ts'
import type { CsvExport } from '../../../domain/transfers/exports/export-csv.ts'
import { exportFilters } from '../../../domain/transfers/exports/export-filters.ts'
import {
  archiveKey,
  canRequestArchive,
  findArchive,
  listArchives,
  readArchiveRetention,
  requestArchive,
} from '../../../domain/transfers/archives/account-archives.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { sendPage } from '../../support/response/send-page.ts'
import { paths } from '../paths.ts'
import { formOf } from '../support/form-body.ts'
import { requireRecentAuthentication } from '../support/require-recent-authentication.ts'
import { requireUser } from '../settings/own-account.ts'
import { exportPage } from './template.ts'

/** The CSV files with the names under which browsers save them, both as in Mastodon. */
const CSV_FILES: readonly [kind: CsvExport, savedName: string][] = [
  ['follows', 'following_accounts'],
  ['mutes', 'muted_accounts'],
  ['blocks', 'blocked_accounts'],
  ['domain_blocks', 'blocked_domains'],
  ['bookmarks', 'bookmarks'],
  ['lists', 'lists'],
]

/** Exports of the user's own data (Mastodon: /settings/export, /settings/exports/…). */
export async function exports(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.export, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.export })
    if (!user) return reply
    const { accountId } = user
    const [counts, archives, retentionDays] = await Promise.all([
      countExports(ctx, { accountId }),
      listArchives(ctx, { accountId, now: ctx.now() }),
      readArchiveRetention(ctx),
    ])
    const canRequest = canRequestArchive(archives, { now: ctx.now() })
    const input = { counts, archives, retentionDays, canRequest }
    return sendPage(ctx, { request, reply, page: (frame) => exportPage(frame, input) })
  })

  api.post(paths.export, { schema: { hide: true, body: formOf({}) } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.export })
    const sessionId = user && (await requireRecentAuthentication(ctx, { request, reply }))
    if (!user || sessionId === null) return reply
    const { accountId, userId } = user
    await ctx.write((tx) => requestArchive(tx, { accountId, userId, sessionId }))
    return reply.redirect(paths.export, 303)
  })

  api.get(`${paths.archives}/:id`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.export })
    if (!user || !(await requireRecentAuthentication(ctx, { request, reply, next: paths.export }))) return reply
    const { id } = request.params
    const { name, requestedAt } = await findArchive(ctx, { id, accountId: user.accountId, now: ctx.now() })
    const file = await ctx.storage.open({ key: archiveKey(name) })
    if (!file) throw new NotFoundError()
    const day = requestedAt.toISOString().replaceAll(/\D/g, '').slice(0, 14)
    reply.headers({
      'content-disposition': `attachment; filename="archive-${day}-${name}.zip"`,
      'content-length': file.size,
    })
    // Not awaited, since the reply resolves only after the client has read the whole stream.
    void reply.type(file.contentType).send(file.stream)
    return reply
  })

  for (const [kind, savedName] of CSV_FILES) {
    api.get(`${paths.exports}/${kind}.csv`, { schema: { hide: true } }, async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.export })
      if (!user) return reply
      const lines = exportCsv(ctx, { accountId: user.accountId, kind })
      reply.header('content-disposition', `attachment; filename="${savedName}.csv"`)
      return reply.type('text/csv; charset=utf-8').send(Readable.from(lines, { objectMode: false }))
    })
  }

  api.get(`${paths.exports}/custom_filters.json`, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.export })
    if (!user) return reply
    const filters = await exportFilters(ctx, { accountId: user.accountId })
    reply.header('content-disposition', 'attachment; filename="custom_filters.json"')
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(filters))
  })
}
