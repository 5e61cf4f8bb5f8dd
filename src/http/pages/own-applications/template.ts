import type { Application } from '../../../domain/auth/applications.ts'
import type { ApplicationSecrets } from '../../../domain/auth/own-applications.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { html, isolateDirection, isolateDirectionOfText } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { ALL_SCOPES } from '../../../lib/http/scopes.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { findMessage, message } from '../../../lib/messages/message.ts'
import { checkbox, csrfField, errorSummary, field, notice } from '../layout/form.ts'
import { icons } from '../layout/icons.ts'
import { page } from '../layout/layout.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'
import { backToSettings } from '../settings/template.ts'

/** The scopes that most applications need; the others are behind a disclosure. */
const COMMON_SCOPES: readonly string[] = ['profile', 'read', 'write', 'follow', 'push']

/** Returns the path of the page of an application. */
export function ownApplicationPath(id: string): string {
  return `${paths.ownApplications}/${id}`
}

/** The applications that the user has registered. */
export function ownApplicationsPage(
  frame: Frame,
  { applications, deleted }: { applications: readonly Application[]; deleted: boolean },
): string {
  const { locale } = frame
  const title = message(locale, 'own-applications.title')
  const body = html`
    <h1>${title}</h1>
    ${deleted && notice('good', message(locale, 'own-applications.deleted'))}
    <p class="lead">${message(locale, 'own-applications.lead')}</p>
    <ul class="choices">
      ${applications.map(
        ({ id, name }) =>
          html`<li><a href="${ownApplicationPath(id)}">${isolateDirection(name)} ${icons.forward}</a></li>`,
      )}
    </ul>
    <p class="actions">
      <a class="button" href="${paths.newOwnApplication}">${message(locale, 'own-applications.new')}</a>
    </p>
    ${backToSettings(frame)}
  `
  return page(frame, { title, body, shape: 'narrow' })
}

export type ApplicationInput = Pick<Application, 'name' | 'website' | 'scopes'> & {
  /** null: a new application. */
  id: string | null
  /** One URI per line. */
  redirectUris: string
  clientId?: string | null
  /** Just created or renewed; shown only now. */
  secrets?: ApplicationSecrets | null
  saved?: boolean
  /** Attributes `name`, `website`, `redirect_uri`, `scopes`. */
  errors?: readonly FieldError[]
}

/** The form of an application: posts to `paths.ownApplications` (new) or to the path of the application. */
export function ownApplicationPage(frame: Frame, input: ApplicationInput): string {
  const { locale, csrf } = frame
  const { id, errors } = input
  const title = id === null ? message(locale, 'own-applications.new') : isolateDirectionOfText(input.name)
  const labels = {
    name: message(locale, 'own-applications.name'),
    website: message(locale, 'own-applications.website'),
    redirect_uri: message(locale, 'own-applications.redirect-uris'),
    scopes: message(locale, 'own-applications.scopes'),
  }
  const body = html`
    <p class="back"><a href="${paths.ownApplications}">${message(locale, 'own-applications.title')}</a></p>
    <h1>${id === null ? title : isolateDirection(input.name)}</h1>
    ${input.saved && notice('good', message(locale, 'own-applications.saved'))}
    ${errorSummary(locale, { errors, labels })} ${id !== null && credentials(frame, input)}
    <form method="post" action="${id === null ? paths.ownApplications : ownApplicationPath(id)}">
      ${csrfField(csrf)}
      ${field(locale, { name: 'name', label: labels.name, value: input.name, errors, more: { maxlength: 60 } })}
      ${field(locale, { name: 'website', label: labels.website, value: input.website ?? '', optional: true, errors })}
      ${field(locale, {
        name: 'redirect_uri',
        label: labels.redirect_uri,
        type: 'textarea',
        hint: message(locale, 'own-applications.redirect-uris-hint'),
        value: input.redirectUris,
        errors,
      })}
      ${scopesPart(locale, input)}
      <p class="actions"><button class="button" type="submit">${message(locale, 'own-applications.submit')}</button></p>
    </form>
    ${
      id !== null &&
      html`<form method="post" action="${ownApplicationPath(id)}/delete">
        ${csrfField(csrf)}
        <p class="actions">
          <button class="button button-line" type="submit">${message(locale, 'own-applications.delete')}</button>
        </p>
      </form>`
    }
  `
  return page(frame, { title, body, shape: 'narrow' })
}

/** The client id and, only after they were created, the secrets. */
function credentials({ locale, csrf }: Frame, { id, clientId, secrets }: ApplicationInput): SafeHtml {
  const rows = [
    [message(locale, 'own-applications.client-id'), clientId],
    [message(locale, 'own-applications.client-secret'), secrets?.clientSecret],
    [message(locale, 'own-applications.access-token'), secrets?.accessToken],
  ] as const
  return html`${secrets && notice('good', message(locale, 'own-applications.secrets-once'))}
    <dl class="pairs">
      ${rows
        .filter(([, value]) => value)
        .map(
          ([label, value]) =>
            html`<div>
              <dt>${label}</dt>
              <dd><code class="address" tabindex="0">${value}</code></dd>
            </div>`,
        )}
    </dl>
    ${
      !secrets &&
      html`<form method="post" action="${ownApplicationPath(id!)}/secrets">
        ${csrfField(csrf)}
        <p class="hint">${message(locale, 'own-applications.renew-hint')}</p>
        <p class="actions">
          <button class="button button-line" type="submit">${message(locale, 'own-applications.renew')}</button>
        </p>
      </form>`
    }`
}

function scopesPart(locale: Locale, { scopes }: ApplicationInput): SafeHtml {
  const others = ALL_SCOPES.filter((scope) => !COMMON_SCOPES.includes(scope))
  const scopeBox = (scope: string) =>
    checkbox(locale, {
      name: `scopes[${ALL_SCOPES.indexOf(scope)}]`,
      value: scope,
      label: `${scope}: ${findMessage(locale, `scope.${scope}`) ?? scope}`,
      checked: scopes.includes(scope),
      optional: true,
    })
  return html`<fieldset class="field" id="scopes">
    <legend>${message(locale, 'own-applications.scopes')}</legend>
    ${COMMON_SCOPES.map(scopeBox)}
    <details>
      <summary>${message(locale, 'own-applications.more-scopes')}</summary>
      ${others.map(scopeBox)}
    </details>
  </fieldset>`
}
