import { Type } from 'typebox'
import type { Ctx, Read } from '../../../../../domain/context.ts'
import {
  exportDomainAllows,
  exportDomainBlocks,
  exportEmailDomainBlocks,
} from '../../../../../domain/moderation/domain-blocks/import/export-block-lists.ts'
import type { TypedFastify } from '../../../../typed-fastify.ts'

const EXPORTS: readonly [name: string, summary: string, write: (read: Read) => Promise<string>][] = [
  ['domain_blocks', 'Export all domain blocks as CSV', exportDomainBlocks],
  ['domain_allows', 'Export all allowed domains as CSV', exportDomainAllows],
  ['email_domain_blocks', 'Export all e-mail domain blocks as CSV', exportEmailDomainBlocks],
]

/** Linnet's own: GET /api/v1/admin/export_…, the files that Mastodon offers on its pages. */
export async function adminBlockListExports(api: TypedFastify, ctx: Ctx): Promise<void> {
  for (const [name, summary, write] of EXPORTS) {
    api.get(
      `/export_${name}`,
      {
        schema: {
          tags: ['admin: domain blocks'],
          summary,
          produces: ['text/csv'],
          response: { 200: Type.String({ description: 'A header and a line for each domain.' }) },
        },
      },
      async (_request, reply) => {
        reply.header('content-disposition', `attachment; filename="${name}.csv"`)
        return reply.type('text/csv; charset=utf-8').send(await write(ctx))
      },
    )
  }
}
