import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Ctx } from '../../../domain/context.ts'
import { findThumbnail } from '../../../domain/instance/thumbnail.ts'
import { listRules } from '../../../domain/instance/rules.ts'
import { readSettings } from '../../../domain/instance/instance-settings.ts'
import { readInstanceInformation } from '../../../domain/instance/instance-information.ts'
import { listPublicDomainBlocks } from '../../../domain/instance/list-public-domain-blocks.ts'
import { completeTermsReview } from '../../../domain/instance/terms-reviews.ts'
import { raw } from '../../../lib/html/html.ts'
import { formatDocument } from '../../../lib/html/format-document.ts'
import { renderDocument, renderTerms } from '../../../render/instance/render-documents.ts'
import { instanceThumbnail } from '../../../render/instance/instance-images.ts'
import { shownCounts } from '../../../render/instance/render-instance.ts'
import type { TypedFastify } from '../../typed-fastify.ts'
import { findPageAccount, languageOf, localeOf, sendPublicPage } from '../../support/response/send-page.ts'
import { aboutPage } from './template.ts'
import { documentPage } from './document-template.ts'
import { paths } from '../paths.ts'
import type { Preview } from '../layout/preview.ts'
import { message } from '../../../lib/messages/message.ts'

/** The pages about the server: description and rules, privacy policy, terms of service. */
export async function about(api: TypedFastify, ctx: Ctx): Promise<void> {
  const { origin, localDomain } = ctx.config

  api.get(paths.about, { schema: { hide: true } }, async (request, reply) => {
    const { viewer } = request
    // As in the API: with limited federation, these are for users only.
    const isRestricted = ctx.config.access.limitedFederation && viewer?.accountState !== 'usable'
    const [site, counts, settings, rules, extendedDescription, domainBlocks] = await Promise.all([
      readInstanceInformation(ctx),
      shownCounts(ctx),
      readSettings(ctx),
      listRules(ctx),
      isRestricted ? null : renderDocument(ctx, { name: 'extended-description' }),
      isRestricted ? null : listPublicDomainBlocks(ctx, { viewer }),
    ])
    const [contact, closedMessage, preview] = await Promise.all([
      site.contactAccountId === null ? null : findPageAccount(ctx, { accountId: site.contactAccountId }),
      formatDocument(settings['registrations-message'], { base: origin }),
      previewAt(paths.about, { title: site.title, description: site.description.trim() || localDomain }),
    ])
    const lang = languageOf(ctx, request).split('-')[0]!
    return sendPublicPage(ctx, {
      request,
      reply,
      page: (frame) =>
        aboutPage(frame, {
          description: site.description,
          // The server generated this HTML from Markdown, with raw HTML in it escaped.
          extendedDescription: raw(extendedDescription?.content ?? ''),
          rules: rules.map(({ text, hint, translations }) => translations[lang] ?? { text, hint }),
          closedMessage: raw(closedMessage),
          domainBlocks,
          contact,
          email: site.contactEmail,
          counts,
          preview,
        }),
    })
  })

  api.get(paths.privacy, { schema: { hide: true } }, async (request, reply) => {
    const { content, updated_at: at } = await renderDocument(ctx, { name: 'privacy-policy' })
    const title = message(localeOf(ctx, request), 'document.privacy')
    const preview = await previewAt(paths.privacy, { title, description: title })
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
    const preview = await previewAt(paths.terms, { title, description: title })
    const { effective_date: effectiveDate, effective } = terms
    const { viewer } = request
    if (viewer) await completeTermsReview(ctx, { userId: viewer.userId, effectiveDate })
    const input = { title, content: raw(terms.content), since: new Date(effectiveDate), isFuture: !effective, preview }
    return sendPublicPage(ctx, { request, reply, page: (frame) => documentPage(frame, input) })
  }

  async function previewAt(path: string, texts: { title: string; description: string }): Promise<Preview> {
    const { url, description } = instanceThumbnail(ctx.config, await findThumbnail(ctx))
    const image = { url, alt: description, large: true }
    return { type: 'website', ...texts, url: `${origin}${path}`, image, noindex: false }
  }
}
