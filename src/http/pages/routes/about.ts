import type { Ctx } from '../../../domain/context.ts'
import { readSite } from '../../../domain/instance/site.ts'
import { freshCounts } from '../../../render/instance.ts'
import type { Api } from '../../api.ts'
import { findPerson, sendPublicPage } from '../../support/page.ts'
import { aboutPage } from '../about.ts'
import { paths } from '../paths.ts'

/** What the server tells of itself. */
export async function about(api: Api, ctx: Ctx): Promise<void> {
  api.get(paths.about, { schema: { hide: true } }, async (request, reply) => {
    const [site, counts] = await Promise.all([readSite(ctx), freshCounts(ctx)])
    const contact = site.contactAccountId === null ? null : await findPerson(ctx, { accountId: site.contactAccountId })
    const { origin, localDomain } = ctx.config
    return sendPublicPage(ctx, {
      request,
      reply,
      page: (frame) =>
        aboutPage(frame, {
          description: site.description,
          contact,
          email: site.contactEmail,
          people: counts.users,
          posts: counts.statuses,
          active: counts.activeMonth,
          preview: {
            type: 'website',
            title: site.title,
            description: site.description.trim() || localDomain,
            url: `${origin}${paths.about}`,
            image: { url: `${origin}/pages/preview.png`, alt: '', large: true },
            noindex: false,
          },
        }),
    })
  })
}
