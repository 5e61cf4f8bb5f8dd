import { message } from '../../lib/i18n/messages.ts'
import { Checkbox, Choice, SelectField } from '../../ui/forms/form-fields.tsx'
import { OwnAccountSection } from './own-account-section.tsx'
import { ClientSwitch, SettingGroup } from './setting-group.tsx'
import { useAccountChange } from './use-account-change.ts'
import { useLanguageOptions } from '../instance/language-options.ts'

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
  const languages = useLanguageOptions()
  return (
    <SelectField
      label={message('web.settings.post-language')}
      value={value}
      options={[{ value: '', label: message('web.settings.post-language.interface') }, ...languages]}
      onChange={onChange}
    />
  )
}
