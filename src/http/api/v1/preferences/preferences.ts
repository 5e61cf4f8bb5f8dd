import type { Ctx } from '../../../../domain/context.ts'
import { Preferences } from '../../../../entities/accounts/preferences.ts'
import { ref } from '../../../../entities/schema/ref.ts'
import { renderPreferences } from '../../../../render/accounts/render-preferences.ts'
import type { TypedFastify } from '../../../typed-fastify.ts'
import { viewerOf } from '../../../support/auth/authorize-routes.ts'

/** Mastodon: GET /api/v1/preferences */
export async function preferences(api: TypedFastify, ctx: Ctx): Promise<void> {
  api.get(
    '',
    { schema: { tags: ['accounts'], summary: 'View your preferences', response: { 200: ref(Preferences) } } },
    async (request) => renderPreferences(ctx, { accountId: viewerOf(request).accountId }),
  )
}
