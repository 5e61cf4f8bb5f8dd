import type { FastifyRequest } from 'fastify'
import type { Ctx } from '../../../domain/context.ts'
import { readSettings } from '../../../domain/instance/instance-settings.ts'
import { listRules } from '../../../domain/instance/rules.ts'
import { listTerms } from '../../../domain/instance/terms-of-service.ts'
import { languageOf } from '../../support/response/send-page.ts'
import { paths } from '../paths.ts'
import type { SignUpInput } from './template.ts'

/** Returns the documents to which new users agree, with the rules in the language of the page. */
export async function loadDocuments(
  ctx: Ctx,
  { request }: { request: FastifyRequest },
): Promise<Pick<SignUpInput, 'rules' | 'privacyUrl' | 'termsUrl'>> {
  const [rules, settings, terms] = await Promise.all([
    listRules(ctx),
    readSettings(ctx),
    listTerms(ctx, { now: ctx.now() }),
  ])
  const lang = languageOf(ctx, request).split('-')[0]!
  return {
    rules: rules.map(({ text, hint, translations }) => translations[lang] ?? { text, hint }),
    privacyUrl: settings['privacy-policy'] === '' ? null : paths.privacy,
    termsUrl: terms.some(({ effective }) => effective) ? paths.terms : null,
  }
}
