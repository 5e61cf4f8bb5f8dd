import type { UserPreferences } from '../../../domain/accounts/preferences/user-preferences.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { message } from '../../../lib/messages/message.ts'
import { formatsFor } from '../layout/formats.ts'
import { checkbox, csrfField, errorSummary, notice, selectField } from '../layout/form.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

export const EXPAND_MEDIA = ['default', 'show_all', 'hide_all'] as const
export const PRIVACIES = ['public', 'unlisted', 'private'] as const
export const QUOTE_POLICIES = ['public', 'followers', 'nobody'] as const

export type Language = { readonly code: string; readonly name: string }

export type PreferencesInput = {
  preferences: UserPreferences
  /** The languages that the user can choose, with their English names. */
  languages: readonly Language[]
  timeZones: readonly string[]
  saved?: boolean
  /** Attributes `time_zone`, `language`. */
  errors?: readonly FieldError[]
}

/** The preferences for reading and posting; posts to `paths.preferences`. */
export function preferencesPage(frame: Frame, input: PreferencesInput): string {
  const { locale } = frame
  const title = message(locale, 'preferences.title')
  const labels = {
    time_zone: message(locale, 'preferences.time-zone'),
    language: message(locale, 'preferences.posting-language'),
  }
  const body = html`
    <h1>${title}</h1>
    ${input.saved && notice('good', message(locale, 'preferences.saved'))}
    ${errorSummary(locale, { errors: input.errors, labels })}
    <form method="post" action="${paths.preferences}">
      ${csrfField(frame.csrf)} ${postingPart(locale, input)} ${readingPart(locale, input)}
      <p class="actions"><button class="button" type="submit">${message(locale, 'preferences.submit')}</button></p>
    </form>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

function postingPart(locale: Locale, { preferences, languages }: PreferencesInput): SafeHtml {
  return html`<h2>${message(locale, 'preferences.posting')}</h2>
    ${selectField({
      name: 'privacy',
      label: message(locale, 'preferences.privacy'),
      value: preferences.defaultPrivacy ?? '',
      options: [
        ['', message(locale, 'preferences.privacy-by-account')],
        ...PRIVACIES.map((one) => [one, message(locale, `share.visibilities.${one}`)] as const),
      ],
    })}
    <p class="hint">${message(locale, 'preferences.privacy-hint')}</p>
    ${selectField({
      name: 'quote_policy',
      label: message(locale, 'preferences.quote-policy'),
      value: preferences.defaultQuotePolicy,
      options: QUOTE_POLICIES.map((one) => [one, message(locale, `preferences.quote-policies.${one}`)] as const),
    })}
    ${selectField({
      name: 'language',
      label: message(locale, 'preferences.posting-language'),
      value: preferences.defaultLanguage ?? '',
      options: [['', message(locale, 'preferences.language-of-pages')], ...namedLanguages(locale, languages)],
    })}
    ${checkbox(locale, { name: 'sensitive', label: message(locale, 'preferences.sensitive'), checked: preferences.defaultSensitive, optional: true })}
    ${checkbox(locale, { name: 'show_application', label: message(locale, 'preferences.show-application'), checked: preferences.showApplication, optional: true })}`
}

function readingPart(locale: Locale, { preferences, languages, timeZones }: PreferencesInput): SafeHtml {
  return html`<h2>${message(locale, 'preferences.reading')}</h2>
    ${selectField({
      name: 'expand_media',
      label: message(locale, 'preferences.expand-media'),
      value: preferences.expandMedia,
      options: EXPAND_MEDIA.map((one) => [one, message(locale, `preferences.expand-media.${one}`)] as const),
    })}
    ${checkbox(locale, { name: 'expand_spoilers', label: message(locale, 'preferences.expand-spoilers'), checked: preferences.expandSpoilers, optional: true })}
    ${checkbox(locale, { name: 'autoplay_gifs', label: message(locale, 'preferences.autoplay-gifs'), checked: preferences.autoplayGifs, optional: true })}
    ${checkbox(locale, { name: 'aggregate_reblogs', label: message(locale, 'preferences.aggregate-reblogs'), checked: preferences.aggregateReblogs, optional: true })}
    ${selectField({
      name: 'time_zone',
      label: message(locale, 'preferences.time-zone'),
      value: preferences.timeZone ?? '',
      options: [['', 'UTC'], ...timeZones.map((one) => [one, one.replaceAll('_', ' ')] as const)],
    })}
    <fieldset class="field">
      <legend>${message(locale, 'preferences.chosen-languages')}</legend>
      <p class="hint">${message(locale, 'preferences.chosen-languages-hint')}</p>
      <details>
        <summary>
          ${message(locale, 'preferences.chosen-languages-count', { count: preferences.chosenLanguages.length })}
        </summary>
        ${namedLanguages(locale, languages).map(([code, name], index) =>
          checkbox(locale, {
            name: `languages[${index}]`,
            value: code,
            label: name,
            checked: preferences.chosenLanguages.includes(code),
            optional: true,
          }),
        )}
      </details>
    </fieldset>`
}

/** Returns codes and names of languages, in the order of their names. */
function namedLanguages(locale: Locale, languages: readonly Language[]): (readonly [code: string, name: string])[] {
  const { compare } = new Intl.Collator(locale)
  return languages
    .map(({ code, name }) => [code, languageName(locale, { code, name })] as const)
    .toSorted(([, a], [, b]) => compare(a, b))
}

/** Returns the name in the language of the page; the English one if the runtime has no other. */
function languageName(locale: Locale, { code, name }: Language): string {
  try {
    const localized = formatsFor(locale).languages.of(code)
    return localized === undefined || localized === code ? name : localized
  } catch {
    // Some codes, such as zh-YUE, are no language tags (BCP 47).
    return name
  }
}
