import { Type } from 'typebox'
import type { Static } from 'typebox'
import type { Ctx } from '../../../../../domain/context.ts'
import { listDomainBlockPage } from '../../../../../domain/domain-blocks/list-domain-blocks.ts'
import {
  createDomainBlock,
  removeDomainBlock,
  updateDomainBlock,
} from '../../../../../domain/domain-blocks/set-domain-block.ts'
import type { DomainBlockRule } from '../../../../../domain/domain-blocks/set-domain-block.ts'
import { findDomainBlockProgress } from '../../../../../domain/moderation/domain-blocks/domain-block-progress.ts'
import { previewDomainBlock } from '../../../../../domain/moderation/domain-blocks/preview-domain-block.ts'
import { AdminDomainBlock } from '../../../../../entities/admin/federation/admin-domain-block.ts'
import { nullable } from '../../../../../entities/schema/nullable.ts'
import { oneOf } from '../../../../../entities/schema/one-of.ts'
import { ref } from '../../../../../entities/schema/ref.ts'
import { DateTime } from '../../../../../entities/schema/time.ts'
import { UnprocessableError } from '../../../../../lib/errors.ts'
import { DOMAIN_RULE_PAGE } from '../../../../../lib/page.ts'
import {
  renderAdminDomainBlock,
  renderAdminDomainBlockById,
} from '../../../../../render/admin/federation/render-admin-domain-blocks.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'
import { staffOf } from '../../../../support/auth/authorize-routes.ts'
import { CURSOR_PAGINATION_PARAMS, readPage, setLinkHeader } from '../../../../support/pagination/cursor-pagination.ts'
import { IdParams } from '../../../../support/request/path-params.ts'

const COMMENT = 'At most 1,000 characters.'

const Rule = Type.Object({
  severity: Type.Optional(
    oneOf(['silence', 'suspend', 'noop'], {
      description: '`silence` (the default) limits the accounts of the domain.',
    }),
  ),
  reject_media: Type.Optional(Type.Boolean({ description: 'Media of the domain are neither fetched nor served.' })),
  reject_reports: Type.Optional(Type.Boolean()),
  private_comment: Type.Optional(Type.String({ description: `For staff. ${COMMENT}` })),
  public_comment: Type.Optional(Type.String({ description: `For the audience of the published list. ${COMMENT}` })),
  obfuscate: Type.Optional(Type.Boolean({ description: 'The published list shows only a part of the domain.' })),
})
const NewBlock = Type.Object({
  domain: Type.Optional(Type.String({ description: 'Required. In any spelling; includes its subdomains.' })),
  ...Rule.properties,
})

const ruleOf = (body: Static<typeof Rule>): { [Name in keyof DomainBlockRule]: DomainBlockRule[Name] | undefined } => ({
  severity: body.severity,
  rejectMedia: body.reject_media,
  rejectReports: body.reject_reports,
  privateComment: body.private_comment,
  publicComment: body.public_comment,
  obfuscate: body.obfuscate,
})

const Preview = Type.Object({
  domain: Type.String(),
  accounts_count: Type.Integer({ description: 'Known accounts of the domain and its subdomains, as in all counts.' }),
  statuses_count: Type.Integer(),
  media_files_count: Type.Integer({ description: 'Files in the remote media cache.' }),
  media_files_bytes: Type.Integer(),
  following_count: Type.Integer({ description: 'Follows by local users.' }),
  followers_count: Type.Integer({ description: 'Follows of local users.' }),
  users_count: Type.Integer({ description: 'Local users with at least one of these follows.' }),
  reports_count: Type.Integer({ description: 'Reports about accounts of the domain, also resolved ones.' }),
})

const Progress = Type.Object({
  domain: Type.String(),
  state: oneOf(['none', 'running', 'finished'], { description: '`none`: the block of the domain was never changed.' }),
  part: Type.Number({ description: 'The examined part of all known accounts, from 0 to 1.' }),
  started_at: nullable(DateTime),
  finished_at: nullable(DateTime),
})

/** Mastodon: GET, POST, PUT and DELETE /api/v1/admin/domain_blocks; preview and progress are Linnet's own. */
export async function adminDomainBlocks(api: TypedFastify, ctx: Ctx): Promise<void> {
  const tags = ['admin: domain blocks']
  const response = { 200: ref(AdminDomainBlock) }

  api.get(
    '',
    {
      schema: {
        tags,
        summary: 'View all domain blocks',
        querystring: Type.Object(CURSOR_PAGINATION_PARAMS),
        response: { 200: Type.Array(ref(AdminDomainBlock)) },
      },
    },
    async (request, reply) => {
      const page = readPage(request.query, DOMAIN_RULE_PAGE)
      const blocks = await listDomainBlockPage(ctx, { page })
      setLinkHeader(ctx, { request, reply, cursors: blocks.map(({ id }) => id), page, style: 'posts' })
      return blocks.map(renderAdminDomainBlock)
    },
  )

  api.get(
    '/preview',
    {
      schema: {
        tags,
        summary: 'Preview what a domain block would affect',
        querystring: Type.Object({
          domain: Type.Optional(Type.String({ description: 'Required. In any spelling; includes its subdomains.' })),
        }),
        response: { 200: Preview },
      },
    },
    async (request) => {
      const preview = await previewDomainBlock(ctx, { domain: request.query.domain ?? '' })
      return {
        domain: preview.domain,
        accounts_count: preview.accounts,
        statuses_count: preview.statuses,
        media_files_count: preview.files,
        media_files_bytes: preview.fileBytes,
        following_count: preview.following,
        followers_count: preview.followers,
        users_count: preview.users,
        reports_count: preview.reports,
      }
    },
  )

  api.get(
    '/progress',
    {
      schema: {
        tags,
        summary: 'View how far the last change of a domain block has been applied to known accounts',
        querystring: Type.Object({
          domain: Type.Optional(Type.String({ description: 'Required. The domain of the block, in any spelling.' })),
        }),
        response: { 200: Progress },
      },
    },
    async (request) => {
      const progress = await findDomainBlockProgress(ctx, { domain: request.query.domain ?? '' })
      return {
        domain: progress.domain,
        state: progress.state,
        part: progress.part,
        started_at: progress.startedAt?.toISOString() ?? null,
        finished_at: progress.finishedAt?.toISOString() ?? null,
      }
    },
  )

  api.get(
    '/:id',
    { schema: { tags, summary: 'View a single domain block', params: IdParams, response } },
    async (request) => renderAdminDomainBlockById(ctx, request.params),
  )

  api.post('', { schema: { tags, summary: 'Block a domain', body: NewBlock, response } }, async (request) => {
    const by = staffOf(request)
    const { domain = '', ...body } = request.body
    const settings = {
      domain,
      severity: body.severity ?? 'silence',
      rejectMedia: body.reject_media ?? false,
      rejectReports: body.reject_reports ?? false,
      privateComment: body.private_comment ?? '',
      publicComment: body.public_comment ?? '',
      obfuscate: body.obfuscate ?? false,
    }
    const created = await ctx.write((tx) => createDomainBlock(tx, { by, settings }))
    if ('id' in created) return renderAdminDomainBlockById(ctx, created)
    const existing = await renderAdminDomainBlockById(ctx, { id: created.existingId })
    const message = created.isOfDomain
      ? `A block of ${existing.domain} already exists. Change its settings instead`
      : `The block of ${existing.domain} already applies to this domain, and the new one is not stricter`
    throw new UnprocessableError(message, { existing_domain_block: existing })
  })

  api.put(
    '/:id',
    { schema: { tags, summary: 'Update a domain block', params: IdParams, body: Rule, response } },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => updateDomainBlock(tx, { id, by: staffOf(request), changes: ruleOf(request.body) }))
      return renderAdminDomainBlockById(ctx, { id })
    },
  )

  api.delete(
    '/:id',
    { schema: { tags, summary: 'Remove a domain block', params: IdParams, response: { 200: Type.Object({}) } } },
    async (request) => {
      const { id } = request.params
      await ctx.write((tx) => removeDomainBlock(tx, { id, by: staffOf(request) }))
      return {}
    },
  )
}
