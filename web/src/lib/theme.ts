import { PAPER_COLOURS } from '../../../src/lib/html/paper-colours.ts'

type Theme = 'light' | 'dark' | 'auto'

/** The server reads this cookie, so that the first paint has the right colours. It belongs to the browser. */
const COOKIE = 'linnet-theme'
const YEAR_SECONDS = 31_536_000

export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'auto'
}

/** Changes the colours at once, and for later visits. */
export function changeTheme(theme: Theme): void {
  const attributes = `path=/; samesite=lax${location.protocol === 'https:' ? '; secure' : ''}`
  // The Cookie Store API has neither Firefox ESR nor Safari before 18.4.
  document.cookie = `${COOKIE}=${theme}; max-age=${theme === 'auto' ? 0 : YEAR_SECONDS}; ${attributes}`
  document.documentElement.dataset['theme'] = theme
  document.querySelector('meta[name="color-scheme"]')?.setAttribute('content', theme === 'auto' ? 'light dark' : theme)
  // The bars of the browser and of the installed app have the colour of the page.
  for (const scheme of ['light', 'dark'] as const)
    document
      .querySelector(`meta[name="theme-color"][media*="${scheme}"]`)
      ?.setAttribute('content', PAPER_COLOURS[theme === 'auto' ? scheme : theme])
}
