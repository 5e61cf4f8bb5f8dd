import { useState } from 'react'
import { useClientSettings } from '../../lib/settings.ts'
import { changeTheme, currentTheme } from '../../lib/theme.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Choice } from '../../ui/forms/form-fields.tsx'
import { changeSetting, reportSaved } from './change-setting.ts'
import { ClientSwitch, SettingGroup } from './setting-group.tsx'
import styles from './settings-page.module.css'

/** How the client looks, and which media and texts it shows. */
export function AppearanceSection() {
  const { textSize, media, animate } = useClientSettings()
  return (
    <div className={styles.page}>
      <SettingGroup title={message('web.settings.look')}>
        <ThemeChoice />
        <Choice
          label={message('web.settings.textSize')}
          value={textSize}
          options={(['small', 'normal', 'large', 'largest'] as const).map((value) => ({
            value,
            label: message(`web.settings.textSize.${value}`),
          }))}
          onChange={(value) => changeSetting('textSize', value)}
        />
      </SettingGroup>
      <SettingGroup title={message('web.settings.media-and-warnings')}>
        <Choice
          label={message('web.settings.media')}
          value={media}
          options={(['default', 'show_all', 'hide_all'] as const).map((value) => ({
            value,
            label: message(`web.settings.media.${value}`),
          }))}
          onChange={(value) => changeSetting('media', value)}
        />
        <ClientSwitch name="expandWarnings" />
      </SettingGroup>
      <SettingGroup title={message('web.settings.motion')}>
        <ClientSwitch name="reducedMotion" />
        <Choice
          label={message('web.settings.animate')}
          value={animate}
          options={(['hover', 'never'] as const).map((value) => ({
            value,
            label: message(`web.settings.animate.${value}`),
          }))}
          onChange={(value) => changeSetting('animate', value)}
        />
      </SettingGroup>
    </div>
  )
}

function ThemeChoice() {
  const [theme, setTheme] = useState(currentTheme)
  const change = (next: typeof theme) => {
    setTheme(next)
    changeTheme(next)
  }
  return (
    <Choice
      label={message('web.settings.theme')}
      value={theme}
      options={(['auto', 'light', 'dark'] as const).map((value) => ({
        value,
        label: message(`web.settings.theme.${value}`),
      }))}
      onChange={(next) => {
        change(next)
        reportSaved(() => change(theme))
      }}
    />
  )
}
