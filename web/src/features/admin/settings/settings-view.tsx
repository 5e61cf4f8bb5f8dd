import { Link } from '@tanstack/react-router'
import { message } from '../../../lib/i18n/messages.ts'
import { TestMail } from '../../setup/test-mail.tsx'
import { useStaff } from '../shared/shell/use-staff.ts'
import { ServerImageForm } from './server-image-form.tsx'
import { SETTINGS_PAGES } from './setting-sections.ts'
import type { SettingsPageName } from './setting-sections.ts'
import { SettingsForm } from './settings-form.tsx'
import { SiteIconForm } from './site-icon-form.tsx'
import { TermsOfService } from './terms-of-service.tsx'
import admin from '../shared/admin.module.css'
import styles from './settings.module.css'

/** One page of the settings of the server, with links to the others. */
export function SettingsView({ page }: { page: SettingsPageName }) {
  const staff = useStaff()
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.settings.pages')}>
        {SETTINGS_PAGES.map((name) => (
          <Link key={name} to="/admin/settings/$page" params={{ page: name }} aria-current={name === page}>
            {message(`web.admin.settings.page.${name}`)}
          </Link>
        ))}
      </nav>
      {page === 'terms' ? <TermsOfService /> : <SettingsForm section={page} />}
      {page === 'general' && <ServerImageForm />}
      {page === 'general' && <SiteIconForm />}
      {page === 'general' && staff?.can('devops') && (
        <section className={styles.group} aria-label={message('web.admin.settings.mail')}>
          <h2 className={admin.heading}>{message('web.admin.settings.mail')}</h2>
          <TestMail />
        </section>
      )}
      {page === 'texts' && (
        <p className={`${styles.group} ${styles.links}`}>
          <a href="/about" target="_blank">
            {message('web.admin.settings.open-about')}
          </a>
          <a href="/privacy-policy" target="_blank">
            {message('web.admin.settings.open-privacy')}
          </a>
        </p>
      )}
    </>
  )
}
