import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { extractMentions } from '../../../../../src/lib/text/entities/extract-entities.ts'
import { locale, message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { IconName } from '../../../ui/icons/icon.tsx'
import type { Draft, QuotePolicy, Visibility } from '../../drafts/draft.ts'
import { allowedVisibilities } from './audience.ts'
import type { ComposerState } from '../composer-state.ts'
import { languagesQuery } from '../../instance/instance.ts'
import { useStatus } from '../../statuses/content/use-status.ts'
import styles from './audience-options.module.css'

const ICONS: Record<Visibility, IconName> = { public: 'globe', unlisted: 'unlisted', private: 'lock', direct: 'at' }
const QUOTE_POLICIES: readonly QuotePolicy[] = ['public', 'followers', 'nobody']
const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

/** Who can see and quote the post, in a sentence and as choices, and its language. */
export function AudienceOptions({ state, draft }: { state: ComposerState; draft: Draft }) {
  const { visibility, quotePolicy, context } = draft
  const isEdit = context.type === 'edit'
  const parent = useStatus(context.type === 'reply' ? context.statusId : null)
  const quoted = useStatus(draft.quotedStatusId)
  const allowed = isEdit
    ? [visibility]
    : allowedVisibilities({ parent: parent?.visibility, quoted: quoted?.visibility })
  const canBeQuoted = visibility === 'public' || visibility === 'unlisted'
  return (
    <div className={styles.options}>
      <p className={styles.sentence}>
        <Icon name={ICONS[visibility]} />
        <span>{audienceSentence(draft)}</span>
      </p>
      <Choice
        label={message('web.composer.visibility')}
        value={visibility}
        disabled={isEdit}
        onChange={(value) => state.change({ visibility: value as Visibility })}
      >
        {allowed.map((value) => (
          <option key={value} value={value}>
            {message(`web.composer.visibility-${value}`)}
          </option>
        ))}
      </Choice>
      <Choice
        label={message('web.composer.quotes')}
        value={canBeQuoted ? quotePolicy : 'nobody'}
        disabled={!canBeQuoted}
        onChange={(value) => state.change({ quotePolicy: value as QuotePolicy })}
      >
        {QUOTE_POLICIES.map((value) => (
          <option key={value} value={value}>
            {message(`web.composer.quotes-${value}`)}
          </option>
        ))}
      </Choice>
      <LanguageChoice language={draft.language} onChange={(language) => state.change({ language })} />
    </div>
  )
}

function LanguageChoice({ language, onChange }: { language: string; onChange: (language: string) => void }) {
  const { data: known = [] } = useQuery(languagesQuery)
  const names = new Map([language, locale].map((code) => [code, nameOf(code, code)]))
  for (const { code, name } of known) names.set(code, nameOf(code, name))
  const languages = [...names].toSorted(([, a], [, b]) => a.localeCompare(b, locale))
  return (
    <Choice label={message('web.composer.language')} value={language} onChange={onChange}>
      {languages.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </Choice>
  )
}

/** Returns the name of a language in that of the user. Browsers do not know all codes of the server. */
function nameOf(code: string, fallback: string): string {
  try {
    return languageNames.of(code) ?? fallback
  } catch {
    return fallback
  }
}

function Choice({
  label,
  value,
  disabled = false,
  onChange,
  children,
}: {
  label: string
  value: string
  disabled?: boolean
  onChange: (value: string) => void
  children: ReactNode
}) {
  return (
    <label className={styles.choice}>
      <span className={styles.label}>{label}</span>
      <select value={value} disabled={disabled} onChange={({ target }) => onChange(target.value)}>
        {children}
      </select>
    </label>
  )
}

/** Returns one sentence that says who will see the post. */
function audienceSentence({ visibility, posts }: Draft): string {
  if (visibility !== 'direct') return message(`web.composer.audience-${visibility}`)
  const handles = posts.flatMap(({ text }) =>
    extractMentions(text).map(({ username, domain }) => (domain === null ? `@${username}` : `@${username}@${domain}`)),
  )
  if (handles.length === 0) return message('web.composer.audience-nobody')
  const people = new Intl.ListFormat(locale).format(new Set(handles))
  return message('web.composer.audience-direct', { people })
}
