import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import {
  confirmDomainBlockImport,
  createDomainBlockImport,
  deleteDomainBlockImport,
  findDomainBlockImport,
  listDomainBlockImports,
  listImportedBlocks,
} from '../../../../../domain/moderation/domain-blocks/import/domain-block-imports.ts'
import { draftDomainBlocks } from '../../../../../domain/moderation/domain-blocks/import/draft-domain-blocks.ts'
import { MAX_IMPORT_BYTES } from '../../../../../domain/moderation/domain-blocks/import/read-block-list.ts'
import {
  AdminDomainBlockDraft,
  AdminDomainBlockImport,
} from '../../../../../entities/admin/federation/admin-domain-block-import.ts'
import { Id } from '../../../../../entities/schema/id.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { ParameterMissingError, PayloadTooLargeError, UnprocessableError } from '../../../../../lib/errors.ts'
import { DOMAIN_RULE_PAGE } from '../../../../../lib/page.ts'
import {
  renderDomainBlockDraft,
  renderDomainBlockImport,
} from '../../../../../render/admin/federation/render-domain-block-import.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'
import { BODY_TYPES_WITH_FILES, FileParam } from '../../../../support/uploads/uploaded-file.ts'
import type { UploadedFile } from '../../../../support/uploads/uploaded-file.ts'

const List = Type.Object({
  file: Type.Optional(Type.With(FileParam, { description: 'CSV in the format of Mastodon, at most 1 MB.' })),
  text: Type.Optional(Type.String({ description: 'The same as text, instead of a file.' })),
})

const Selection = Type.Object({
  ids: Type.Optional(Type.Array(Id, { description: 'Only these drafts. Without ids and domains: all.' })),
  domains: Type.Optional(Type.Array(Type.String(), { description: 'Also the drafts of these domains.' })),
  overwrite: Type.Optional(Type.Boolean({ description: 'Also replaces stricter blocks; by default they stay.' })),
})

/** Linnet's own: /api/v1/admin/domain_block_imports. Mastodon imports lists on its pages. */
export async function adminDomainBlockImports(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: domain blocks']
  const response = { 200: ref(AdminDomainBlockImport) }
  const read = async (id: string): Promise<AdminDomainBlockImport> =>
    renderDomainBlockImport(await findDomainBlockImport(ctx, { id }))

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View the uploaded lists of the last 30 days, newest first',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminDomainBlockImport)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, DOMAIN_RULE_PAGE)
      const rows = await listDomainBlockImports(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map(({ id }) => id), page, style: 'posts' })
      return rows.map(renderDomainBlockImport)
    },
  )

  api.post(
    '',
    {
      schema: {
        tags,
        summary: 'Upload a list of domain blocks as drafts',
        consumes: BODY_TYPES_WITH_FILES,
        body: List,
        response,
      },
    },
    async (request) => {
      const { file, text } = request.body
      if (file === undefined && text === undefined) throw new ParameterMissingError('file')
      const drafts = await draftDomainBlocks(ctx, { text: file ? await readText(file) : text! })
      const id = await ctx.write((tx) => createDomainBlockImport(tx, { by: staffOf(request), drafts }))
      return read(id)
    },
  )

  api.get('/:id', { schema: { tags, summary: 'View an uploaded list', params: IdParams, response } }, async (request) =>
    read(request.params.id),
  )

  api.get(
    '/:id/drafts',
    {
      schema: {
        tags,
        summary: 'View the drafts of an uploaded list, in the order of the file',
        params: IdParams,
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminDomainBlockDraft)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, DOMAIN_RULE_PAGE)
      const rows = await listImportedBlocks(ctx, { importId: request.params.id, page })
      setLinkHeader(ctx, { request, reply, cursors: rows.map(({ id }) => id), page, style: 'posts' })
      return rows.map(renderDomainBlockDraft)
    },
  )

  api.post(
    '/:id/confirm',
    { schema: { tags, summary: 'Apply drafts in the background', params: IdParams, body: Selection, response } },
    async (request) => {
      const { id } = request.params
      const { ids, domains, overwrite = false } = request.body
      const selection = { ids: ids ?? null, domains: domains ?? null, overwrite }
      await ctx.write((tx) => confirmDomainBlockImport(tx, { id, by: staffOf(request), ...selection }))
      return read(id)
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Delete an uploaded list', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      await ctx.write((tx) => deleteDomainBlockImport(tx, { id: request.params.id, by: staffOf(request) }))
      return {}
    },
  )
}

/** @throws PayloadTooLargeError; UnprocessableError for other encodings than UTF-8 */
async function readText(file: UploadedFile): Promise<string> {
  if (file.byteSize > MAX_IMPORT_BYTES) throw new PayloadTooLargeError('A list of domain blocks has at most 1 MB')
  const bytes = await readFile(file.path)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UnprocessableError('The list is not encoded as UTF-8')
  }
}
