import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Ctx } from '../../../domain/context.ts'
import { requestUndo } from '../../../domain/transfers/imports/undo-archive-import.ts'
import { cancelImport, confirmImport } from '../../../domain/transfers/imports/confirm-import.ts'
import { createArchiveImport } from '../../../domain/transfers/imports/create-archive-import.ts'
import { createImport } from '../../../domain/transfers/imports/create-import.ts'
import {
  exportFailures,
  failuresFileOf,
  findImport,
  listImports,
} from '../../../domain/transfers/imports/find-imports.ts'
import { IMPORT_TYPES } from '../../../domain/transfers/imports/import-formats.ts'
import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { IdParams } from '../../support/request/path-params.ts'
import { localeOf, sendPage } from '../../support/response/send-page.ts'
import { FileParam } from '../../support/uploads/uploaded-file.ts'
import { paths } from '../paths.ts'
import { requireUser } from '../settings/own-account.ts'
import { Field, formOf } from '../support/form-body.ts'
import { archiveFailureTexts } from './archive-failure-texts.ts'
import { importPage, importPath, importsPage, undoPage } from './template.ts'

type UserExchange = { request: FastifyRequest; reply: FastifyReply; user: Viewer }

/** Imports of lists (Mastodon: /settings/imports), and of posts from archives. */
export async function imports(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(paths.imports, { schema: { hide: true } }, async (request, reply) => {
    const user = requireUser(request, { reply, page: paths.imports })
    return user ? showImports(ctx, { request, reply, user, type: IMPORT_TYPES[0], mode: 'merge' }) : reply
  })

  api.post(
    paths.imports,
    { schema: { hide: true, body: formOf({ type: Field, mode: Field, file: Type.Optional(FileParam) }) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.imports })
      if (!user) return reply
      const { accountId } = user
      const { file } = request.body
      const type = IMPORT_TYPES.find((one) => one === request.body.type) ?? IMPORT_TYPES[0]
      const mode = request.body.mode === 'overwrite' ? 'overwrite' : 'merge'
      try {
        if (!file || file.byteSize === 0) throw missingFile()
        const { path, byteSize, filename: fileName } = file
        const upload = { type, overwrite: mode === 'overwrite', file: { path, byteSize, fileName } }
        return await reply.redirect(importPath(await createImport(ctx, { accountId, ...upload })), 303)
      } catch (err) {
        if (!(err instanceof ValidationError)) throw err
        return showImports(ctx, { request, reply: reply.code(422), user, type, mode, errors: err.fields })
      }
    },
  )

  // Not in Mastodon, which imports no posts.
  api.post(
    paths.importArchive,
    { schema: { hide: true, body: formOf({ archive: Type.Optional(FileParam) }) } },
    async (request, reply) => {
      const user = requireUser(request, { reply, page: paths.imports })
      if (!user) return reply
      const { accountId } = user
      const { archive } = request.body
      try {
        if (!archive || archive.byteSize === 0) throw missingFile()
        const { path, byteSize, filename: fileName } = archive
        const id = await createArchiveImport(ctx, { accountId, file: { path, byteSize, fileName } })
        return await reply.redirect(importPath(id), 303)
      } catch (err) {
        if (!(err instanceof ValidationError)) throw err
        const errors = err.fields.map((field) => ({ ...field, attribute: 'archive' }))
        const form = { type: IMPORT_TYPES[0], mode: 'merge', errors } as const
        return showImports(ctx, { request, reply: reply.code(422), user, ...form })
      }
    },
  )

  api.get(`${paths.imports}/:id`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
    if (!user) return reply
    const item = await findImport(ctx, { id, accountId: user.accountId, now: ctx.now() })
    return sendPage(ctx, { request, reply, page: (frame) => importPage(frame, { item }) })
  })

  api.post(
    `${paths.imports}/:id/confirm`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
      if (!user) return reply
      await ctx.write((tx) => confirmImport(tx, { id, accountId: user.accountId }))
      return reply.redirect(importPath(id), 303)
    },
  )

  api.post(
    `${paths.imports}/:id/delete`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
      if (!user) return reply
      await ctx.write((tx) => cancelImport(tx, { id, accountId: user.accountId }))
      return reply.redirect(paths.imports, 303)
    },
  )

  // Not in Mastodon.
  api.get(`${paths.imports}/:id/undo`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
    if (!user) return reply
    const item = await findImport(ctx, { id, accountId: user.accountId, now: ctx.now() })
    if (item.undoableUntil === null || item.posts === 0) throw new NotFoundError()
    return sendPage(ctx, { request, reply, page: (frame) => undoPage(frame, { item }) })
  })

  api.post(
    `${paths.imports}/:id/undo`,
    { schema: { hide: true, params: IdParams, body: formOf({}) } },
    async (request, reply) => {
      const { id } = request.params
      const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
      if (!user) return reply
      await ctx.write((tx) => requestUndo(tx, { id, accountId: user.accountId }))
      return reply.redirect(importPath(id), 303)
    },
  )

  // The extension of the path does not depend on the type, as in Mastodon.
  api.get(`${paths.imports}/:id/failures.csv`, { schema: { hide: true, params: IdParams } }, async (request, reply) => {
    const { id } = request.params
    const user = requireUser(request, { reply, page: paths.imports, path: importPath(id) })
    if (!user) return reply
    const item = await findImport(ctx, { id, accountId: user.accountId, now: ctx.now() })
    const type = item.type === 'filters' ? 'application/json' : 'text/csv'
    reply.header('content-disposition', `attachment; filename="${failuresFileOf(item)}"`)
    const rows = exportFailures(ctx, item, archiveFailureTexts(localeOf(ctx, request)))
    return reply.type(`${type}; charset=utf-8`).send(Readable.from(rows, { objectMode: false }))
  })
}

async function showImports(
  ctx: Ctx,
  {
    request,
    reply,
    user,
    ...form
  }: UserExchange & { type: string; mode: 'merge' | 'overwrite'; errors?: readonly FieldError[] },
): Promise<FastifyReply> {
  const maxArchiveMegabytes = Math.floor(ctx.config.archiveUploadBytes / 1_048_576)
  const recent = await listImports(ctx, { accountId: user.accountId, now: ctx.now() })
  return sendPage(ctx, {
    request,
    reply,
    page: (frame) => importsPage(frame, { recent, maxArchiveMegabytes, ...form }),
  })
}

function missingFile(): ValidationError {
  return new ValidationError([{ attribute: 'file', code: 'ERR_BLANK', text: "can't be blank" }])
}
