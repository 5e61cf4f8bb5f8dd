/** Line drawings on a grid of 24 units. */
const PATHS = {
  home: 'M4 11.5 12 4.5l8 7V20h-5.5v-5.5h-5V20H4v-8.5Z',
  search: 'M10.5 17.5a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm5-2 5 5',
  explore: 'M5 9.5h14M4.5 15h14M10 4 8 20m8-16-2 16',
  bell: 'M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15L6 16.5Zm4 4h4',
  mail: 'M4.5 6h15A1.5 1.5 0 0 1 21 7.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 16.5v-9A1.5 1.5 0 0 1 4.5 6Zm-.8 1.2L12 13l8.3-5.8',
  bookmark: 'M7 4h10v16l-5-4-5 4V4Z',
  favourite: 'm12 4 2.5 5.1 5.6.8-4 3.9.9 5.6-5-2.6-5 2.6.9-5.6-4-3.9 5.6-.8Z',
  collection: 'M4.5 9h15v11h-15V9Zm2-3h11m-9-3h7',
  list: 'M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5h.5m-.5 5.5h.5m-.5 5.5h.5',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.6-3 3.2-5 6.5-5s5.9 2 6.5 5m.5-8a3 3 0 0 0 0-6m2.5 9.5c1.7.8 2.7 2.2 3 4.5',
  globe: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM3.5 12h17M12 3.5c-5 5-5 12 0 17 5-5 5-12 0-17Z',
  settings:
    'M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm0-12v3m0 12v3m9-9h-3M6 12H3m15.4-6.4-2.1 2.1M7.7 16.3l-2.1 2.1m12.8 0-2.1-2.1M7.7 7.7 5.6 5.6',
  shield: 'M12 3.5 5 6v5.5c0 4.3 2.8 7.5 7 9 4.2-1.5 7-4.7 7-9V6l-7-2.5Zm-3 8.5 2.2 2.2L15.5 10',
  write: 'm4 20 1-4.5L16 4.5a2 2 0 0 1 2.8 0l.7.7a2 2 0 0 1 0 2.8L8.5 19 4 20Zm10.5-14 3.5 3.5',
  reply: 'M20 11.5a7.5 7.5 0 0 1-10.9 6.7L4 20l1.7-4.7A7.5 7.5 0 1 1 20 11.5Z',
  boost: 'M4 13V9.5A2.5 2.5 0 0 1 6.5 7H18m-3-3 3 3-3 3m5 1v3.5a2.5 2.5 0 0 1-2.5 2.5H6m3 3-3-3 3-3',
  quote: 'M10 7H5v6h5V7Zm0 6c0 3-1.5 4.5-4 5M19.5 7h-5v6h5V7Zm0 6c0 3-1.5 4.5-4 5',
  more: 'M5 12a.7.7 0 1 0 1.4 0A.7.7 0 0 0 5 12Zm6.3 0a.7.7 0 1 0 1.4 0 .7.7 0 0 0-1.4 0Zm6.3 0a.7.7 0 1 0 1.4 0 .7.7 0 0 0-1.4 0Z',
  pin: 'M9 4h6l-.7 6.2 3.2 3.3v1.5h-11v-1.5l3.2-3.3L9 4Zm3 11v5.5',
  lock: 'M7 11V8.5a5 5 0 0 1 10 0V11m-11 0h12v9H6v-9Z',
  unlisted: 'M4 12c2-4 5-6 8-6s6 2 8 6c-2 4-5 6-8 6s-6-2-8-6Zm.5 7.5 15-15',
  at: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0Zm0 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5',
  back: 'M19.5 12h-15m6-6-6 6 6 6',
  forward: 'M4.5 12h15m-6-6 6 6-6 6',
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.5 4.5 4.5L19.5 7',
  image: 'M4 5.5h16v13H4v-13Zm0 10 4.5-5 4 4 3-3 4.5 5M15.5 9.5h.5',
  poll: 'M5 19.5V11m7 8.5v-15m7 15V14',
  warning: 'M12 4.5 3.5 19h17L12 4.5Zm0 5.5v4m0 2.5v.5',
  smile: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm-3.5-6c2 2.5 5 2.5 7 0M9 9.5v.5m6-.5v.5',
  clock: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17Zm0-13.5v5l3.5 2',
  play: 'M8 5.5v13l10.5-6.5L8 5.5Z',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z',
  hidden: 'M3 12s3.3-6 9-6 9 6 9 6-3.3 6-9 6-9-6-9-6ZM4.5 19.5l15-15',
  follow: 'M9.5 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 19.5c.6-3 3.2-5 6.5-5s5.9 2 6.5 5M18.5 8v6m3-3h-6',
  tag: 'M5 9.5h14M4.5 15h14M10 4 8 20m8-16-2 16',
  external: 'M13.5 5H19v5.5M19 5l-8.5 8.5M10 6H5v13h13v-5',
  copy: 'M9 9h11v11H9V9Zm-3 6H4V4h11v2',
  trash: 'M5 7h14M10 7V4.5h4V7m-7 0 1 12.5h8L17 7M10.5 10.5v6m3-6v6',
  translate: 'M3.5 6.5h10M8.5 4v2.5c0 4-2 6.5-5 8m2-5c1.5 2.5 3.5 4 6.5 5M11.5 20l4.5-10.5L20.5 20m-7.3-3.5h5.6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  flag: 'M6 20.5V4.5m0 0h11l-2 4 2 4H6',
  chart: 'M4.5 4.5v15h15M8 15.5l3.5-4 3 2.5 4.5-6',
  mute: 'M5 10v4h3l4.5 4V6L8 10H5Zm10.5 0 5 4m0-4-5 4',
  block: 'M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17ZM6 6l12 12',
  refresh: 'M19.5 12a7.5 7.5 0 1 1-2.5-5.6M19.5 4v4h-4',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14',
  share: 'M12 15V4M8 8l4-4 4 4M6 11v8.5h12V11',
  minus: 'M5 12h14',
  plus: 'M12 5v14m-7-7h14',
} as const

export type IconName = keyof typeof PATHS

/** A drawing in the colour of the surrounding text. Decorative: hidden from screen readers. */
export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg className={filled ? 'icon icon-filled' : 'icon'} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
