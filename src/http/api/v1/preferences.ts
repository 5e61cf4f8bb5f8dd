import type { Ctx } from '../../../domain/context.ts'
import { Preferences } from '../../../entities/preferences.ts'
import { ref } from '../../../entities/ref.ts'
import { renderPreferences } from '../../../render/accounts/render-preferences.ts'
import type { Api } from '../../api.ts'
import { viewerOf } from '../../support/authorise.ts'

/** How one wants to write and to read. */
export async function preferences(api: Api, ctx: Ctx): Promise<void> {
  api.get(
    '',
    { schema: { tags: ['accounts'], summary: 'See my preferences', response: { 200: ref(Preferences) } } },
    async (request) => renderPreferences(ctx, { accountId: viewerOf(request).accountId }),
  )
}
