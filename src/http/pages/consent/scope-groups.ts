import { html } from '../../../lib/html/html.ts'
import type { SafeHtml } from '../../../lib/html/html.ts'
import { coversScope } from '../../../lib/http/scopes.ts'
import type { Locale } from '../../../lib/messages/locales.ts'
import { findMessage, message } from '../../../lib/messages/message.ts'
import { icons } from '../layout/icons.ts'

const GROUPS = ['read', 'write', 'follow', 'push', 'admin'] as const
type Group = (typeof GROUPS)[number]

/** Lists what scopes allow, in groups. */
export function scopeGroups(locale: Locale, scopes: readonly string[]): SafeHtml {
  return html`<ul class="scopes">
    ${GROUPS.map((group) => scopeGroup(locale, { group, scopes }))}
  </ul>`
}

/** Lists the scopes of a group in plain words, without scopes that another one covers. */
function scopeGroup(locale: Locale, { group, scopes }: { group: Group; scopes: readonly string[] }): SafeHtml {
  const requested = scopes.filter((scope) => groupOf(scope) === group)
  const listed = requested.filter((scope) => !scopes.some((other) => other !== scope && covers(other, scope)))
  if (listed.length === 0) return html``
  return html`<li class="scope scope-${group}">
    ${icons[group]}
    <div>
      <h3>${message(locale, `consent.groups.${group}`)}</h3>
      <ul>
        ${listed.map((scope) => html`<li>${findMessage(locale, `scope.${scope}`) ?? html`<code>${scope}</code>`}</li>`)}
      </ul>
      ${group === 'admin' && html`<p class="scope-note">${message(locale, 'consent.admin-note')}</p>`}
    </div>
  </li>`
}

function groupOf(scope: string): Group {
  if (scope === 'profile') return 'read'
  const [first] = scope.split(':')
  return GROUPS.find((group) => group === first) ?? 'write'
}

/** `read` and `read:accounts` include what `profile` shows, although for tokens neither covers that scope. */
function covers(held: string, scope: string): boolean {
  return scope === 'profile' ? held === 'read' || held === 'read:accounts' : coversScope([held], scope)
}
