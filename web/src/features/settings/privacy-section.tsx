import { message } from '../../lib/i18n/messages.ts'
import { Checkbox } from '../../ui/forms/form-fields.tsx'
import { OwnAccountSection } from './own-account-section.tsx'
import { SettingGroup } from './setting-group.tsx'
import { useAccountChange } from './use-account-change.ts'

/** Who can find and follow the user. */
export function PrivacySection() {
  const change = useAccountChange()
  return (
    <OwnAccountSection>
      {({ locked, source: { discoverable, indexable, hideCollections } }) => {
        const settings = {
          locked,
          discoverable: discoverable ?? false,
          indexable: indexable ?? false,
          hideCollections: hideCollections ?? false,
        }
        const field = (name: keyof typeof settings) => (
          <Checkbox
            label={message(`web.settings.${name}`)}
            hint={message(`web.settings.${name}.hint`)}
            isChecked={settings[name]}
            onChange={(isOn) => void change({ [name]: isOn }, { [name]: settings[name] })}
          />
        )
        return (
          <>
            <SettingGroup title={message('web.settings.reach')}>
              {field('locked')}
              {field('hideCollections')}
            </SettingGroup>
            <SettingGroup title={message('web.settings.search')}>
              {field('discoverable')}
              {field('indexable')}
            </SettingGroup>
          </>
        )
      }}
    </OwnAccountSection>
  )
}
