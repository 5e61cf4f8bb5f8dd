/** The background of pages by colour scheme, as `--paper` in `src/http/pages/layout/tokens.css`. */
export const PAPER_COLOURS = { light: '#faf7f3', dark: '#171413' } as const
