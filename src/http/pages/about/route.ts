import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { readRules } from '../../../domain/instance/rules.ts'
import { readSettings } from '../../../domain/instance/settings.ts'
import { readSite } from '../../../domain/instance/site.ts'
import { readPublicBlocks } from '../../../domain/moderation/public-blocks.ts'
import { raw } from '../../../lib/html.ts'
import { formatDocument } from '../../../lib/text/formatDocument.ts'
import { renderDocument, renderTerms } from '../../../render/documents.ts'
import { freshCounts } from '../../../render/instance.ts'
import type { Api } from '../../api.ts'
import { findPageAccount, languageOf, localeOf, sendPublicPage } from '../../support/page.ts'
import { aboutPage } from './template.ts'
import { documentPage } from './document-template.ts'
import { paths } from '../paths.ts'
import type { Preview } from '../layout/preview.ts'
import { message } from '../../../lib/messages/message.ts'

/** What the server tells of itself. */
export async function about(api: Api, ctx: Ctx): Promise<void> {
  const { origin, localDomain } = ctx.config

  api.get(paths.about, { schema: { hide: true } }, async (request, reply) => {
    const { viewer } = request
    const [site, counts, settings, rules, more, blocked] = await Promise.all([
      readSite(ctx),
      freshCounts(ctx),
      readSettings(ctx),
      readRules(ctx),
      renderDocument(ctx, { name: 'extended-description' }),
      readPublicBlocks(ctx, { viewer }),
    ])
    const [contact, closed] = await Promise.all([
      site.contactAccountId === null ? null : findPageAccount(ctx, { accountId: site.contactAccountId }),
      formatDocument(settings['registrations-message'], { base: origin }),
    ])
    const lang = languageOf(ctx, request).split('-')[0]!
    return sendPublicPage(ctx, {
      request,
      reply,
      page: (frame) =>
        aboutPage(frame, {
          description: site.description,
          // Documents are made by us from Markdown in which there is no markup.
          more: raw(more.content),
          rules: rules.map(({ text, hint, translations }) => translations[lang] ?? { text, hint }),
          closed: raw(closed),
          blocked,
          contact,
          email: site.contactEmail,
          people: counts.users,
          posts: counts.statuses,
          active: counts.activeMonth,
          preview: previewAt(paths.about, {
            title: site.title,
            description: site.description.trim() || localDomain,
          }),
        }),
    })
  })

  api.get(paths.privacy, { schema: { hide: true } }, async (request, reply) => {
    const { content, updated_at: at } = await renderDocument(ctx, { name: 'privacy-policy' })
    const title = message(localeOf(ctx, request), 'document.privacy')
    const preview = previewAt(paths.privacy, { title, description: title })
    const input = { title, content: raw(content), since: at === null ? null : new Date(at), preview }
    return sendPublicPage(ctx, { request, reply, page: (frame) => documentPage(frame, input) })
  })

  api.get(paths.terms, { schema: { hide: true } }, async (request, reply) => showTerms(request, reply))
  api.get(
    `${paths.terms}/:date`,
    { schema: { hide: true, params: Type.Object({ date: Type.String() }) } },
    async (request, reply) => showTerms(request, reply, request.params.date),
  )

  async function showTerms(request: FastifyRequest, reply: FastifyReply, date?: string): Promise<FastifyReply> {
    const terms = await renderTerms(ctx, { now: ctx.now(), date })
    const title = message(localeOf(ctx, request), 'document.terms')
    const preview = previewAt(paths.terms, { title, description: title })
    const input = { title, content: raw(terms.content), since: new Date(terms.effective_date), preview }
    return sendPublicPage(ctx, { request, reply, page: (frame) => documentPage(frame, input) })
  }

  function previewAt(path: string, words: { title: string; description: string }): Preview {
    const image = { url: `${origin}/pages/preview.png`, alt: '', large: true }
    return { type: 'website', ...words, url: `${origin}${path}`, image, noindex: false }
  }
}
