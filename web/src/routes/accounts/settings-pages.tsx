import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { AppearanceSection } from '../../features/settings/appearance-section.tsx'
import { KeyboardSection } from '../../features/settings/keyboard-section.tsx'
import { NotificationsSection } from '../../features/settings/notifications-section.tsx'
import { PostingSection } from '../../features/settings/posting-section.tsx'
import { PrivacySection } from '../../features/settings/privacy-section.tsx'
import type { ClientSection } from '../../features/settings/setting-sections.ts'
import { SettingsList } from '../../features/settings/settings-list.tsx'
import { TimelinesSection } from '../../features/settings/timelines-section.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { NotFoundPage } from '../shell/error-pages.tsx'

const SECTIONS: Record<ClientSection, ComponentType> = {
  appearance: AppearanceSection,
  timelines: TimelinesSection,
  posting: PostingSection,
  privacy: PrivacySection,
  notifications: NotificationsSection,
  keyboard: KeyboardSection,
}

export function SettingsPage() {
  return (
    <>
      <PageHead title={message('web.settings.title')} />
      <SettingsList />
    </>
  )
}

export function SettingsSectionPage() {
  const { section } = useParams({ from: '/settings/client/$section' })
  if (!Object.hasOwn(SECTIONS, section)) return <NotFoundPage />
  const id = section as ClientSection
  const Section = SECTIONS[id]
  return (
    <>
      <PageHead title={message(`web.settings.section.${id}`)} back />
      <Section />
    </>
  )
}
