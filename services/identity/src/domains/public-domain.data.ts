/** Domains whose addresses anybody can have: none of them says that a person belongs to an organization. */
export const PUBLIC_DOMAINS = new Set([
  ...['gmail.com', 'googlemail.com', 'outlook.com', 'hotmail.com', 'live.com', 'msn.com', 'passport.com'],
  ...['hotmail.co.uk', 'hotmail.fr', 'hotmail.de', 'hotmail.it', 'hotmail.es', 'live.co.uk', 'live.nl'],
  ...['outlook.de', 'outlook.fr', 'outlook.es', 'yahoo.com', 'ymail.com', 'rocketmail.com', 'yahoo.co.uk'],
  ...['yahoo.co.in', 'yahoo.co.jp', 'yahoo.de', 'yahoo.fr', 'yahoo.it', 'yahoo.es', 'yahoo.com.br'],
  ...['icloud.com', 'me.com', 'mac.com', 'aol.com', 'aim.com', 'proton.me', 'protonmail.com', 'pm.me'],
  ...['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch', 'gmx.com', 'web.de', 'freenet.de', 't-online.de', 'mail.com'],
  ...['email.com', 'zoho.com', 'zohomail.com', 'yandex.com', 'yandex.ru', 'mail.ru', 'bk.ru', 'list.ru'],
  ...['inbox.ru', 'rambler.ru', 'ukr.net', 'fastmail.com', 'fastmail.fm', 'hushmail.com', 'tutanota.com'],
  ...['tutanota.de', 'tuta.com', 'tuta.io', 'mailbox.org', 'posteo.de', 'posteo.net', 'qq.com', '163.com'],
  ...['126.com', 'yeah.net', 'sina.com', 'sohu.com', 'foxmail.com', 'naver.com', 'hanmail.net', 'daum.net'],
  ...['orange.fr', 'wanadoo.fr', 'free.fr', 'laposte.net', 'sfr.fr', 'libero.it', 'virgilio.it', 'alice.it'],
  ...['bluewin.ch', 'seznam.cz', 'wp.pl', 'o2.pl', 'interia.pl', 'onet.pl', 'bol.com.br', 'uol.com.br'],
  ...['terra.com.br', 'rediffmail.com', 'btinternet.com', 'sky.com', 'virginmedia.com', 'comcast.net'],
  ...['verizon.net', 'att.net', 'sbcglobal.net', 'cox.net', 'charter.net', 'shaw.ca', 'bigpond.com'],
  ...['optusnet.com.au', 'xtra.co.nz', 'duck.com', 'mailinator.com', 'guerrillamail.com', 'yopmail.com'],
]);
