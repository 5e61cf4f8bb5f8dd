import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { locale, message } from '../../lib/i18n/messages.ts'
import { Checkbox, Choice } from '../../ui/forms/form-fields.tsx'
import { OwnAccountSection } from './own-account-section.tsx'
import { ClientSwitch, SettingGroup } from './setting-group.tsx'
import { useAccountChange } from './use-account-change.ts'
import { languagesQuery } from '../instance/instance.ts'
import styles from './settings-page.module.css'

/** With which values the composer starts. */
export function PostingSection() {
  const change = useAccountChange()
  return (
    <OwnAccountSection>
      {({ source: { privacy, sensitive, language, quotePolicy } }) => (
        <>
          <SettingGroup title={message('web.settings.new-posts')}>
            <Choice
              label={message('web.settings.visibility')}
              value={privacy}
              options={(['public', 'unlisted', 'private'] as const).map((value) => ({
                value,
                label: message(`web.settings.visibility.${value}`),
              }))}
              onChange={(value) => void change({ source: { privacy: value } }, { source: { privacy } })}
            />
            <Choice
              label={message('web.settings.quotes')}
              value={quotePolicy}
              options={(['public', 'followers', 'nobody'] as const).map((value) => ({
                value,
                label: message(`web.settings.quotes.${value}`),
              }))}
              onChange={(value) => void change({ source: { quotePolicy: value } }, { source: { quotePolicy } })}
            />
            <LanguageField
              value={language ?? ''}
              onChange={(value) =>
                void change({ source: { language: value } }, { source: { language: language ?? '' } })
              }
            />
          </SettingGroup>
          <SettingGroup title={message('web.settings.post-media')}>
            <Checkbox
              label={message('web.settings.sensitive')}
              isChecked={sensitive}
              onChange={(isOn) => void change({ source: { sensitive: isOn } }, { source: { sensitive } })}
            />
            <ClientSwitch name="askForAltText" />
          </SettingGroup>
        </>
      )}
    </OwnAccountSection>
  )
}

function LanguageField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  const { data: languages = [] } = useQuery(languagesQuery)
  const options = languages
    .map(({ code, name }) => ({ code, name: nameOfLanguage(code) ?? name }))
    .toSorted((a, b) => a.name.localeCompare(b.name, locale))
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{message('web.settings.post-language')}</label>
      <select id={id} className={styles.select} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{message('web.settings.post-language.interface')}</option>
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

const languageNames = new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' })

/** Returns the name in the language of the interface; undefined for codes that only Mastodon has, such as `zh-YUE`. */
function nameOfLanguage(code: string): string | undefined {
  try {
    return languageNames.of(code)
  } catch {
    return undefined
  }
}
