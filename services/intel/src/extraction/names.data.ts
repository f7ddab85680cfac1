/** What every Windows or Unix has, and tools that only their makers call by these words. */
export const EVERYDAY_TOOLS = new Set(
  'Net,Tasklist,Reg,ftp,Systeminfo,Ping,Arp,ipconfig,ifconfig,nbtstat,route,netstat,dsquery,cmd,netsh,at,schtasks,certutil,BITSAdmin,Forfiles,Nltest,Expand,esentutl,Wevtutil,attrib,cipher.exe,Quick Assist'.split(
    ',',
  ),
);
/** Names that are also words, places or people: they count only beside a word that says what they are. */
export const ORDINARY_NAMES = new Set(
  (
    'play silence royal cuba maze chaos page epic spark carbon flame flamer shark solar tor anchor agenda aurora kevin james denis milan mango ninja ' +
    'octopus pandora pony proton prestige rover samurai scorpion snake soldier trinity wiper donut covenant empire embargo ' +
    'emissary disco expand explosive ferocious havoc lucifer meteor mosquito mythic peppy responder ruler raindrop bazar ' +
    'avenger apostle bookworm cannon calisto crimson crutch photo viper skid reptile spaceship mercury nickel zinc platinum ' +
    'silicon iridium gallium chromium barium bromine potassium radium hexane krypton phosphorus manganese polonium electrum ' +
    'axiom cleaver inception equation confucius machete leviathan reaper strider mirage mantis patchwork rancor chimera tick ' +
    'bitter chafer cicada elfin buckeye dragonfly lyceum snake sowbug windigo newscaster armageddon parisite rattlesnake ' +
    'swallowtail whitefly blackfly monsoon hogfish dragonfish sidewinder orz lv rtm frp wce tvt netc aria orangeworm ' +
    'matryoshka sliver spica sunspot supernova vermin canopy calendar bugjuice biscuit driftwood zlib webmasters snakehose ' +
    'meek miner-c andromeda backspace badnews bushwalk castletap chimneysweep chopstick medusa'
  ).split(' '),
);
/** Words that say of a name that it is malware, or an actor; parts of a pattern. */
export const MALWARE_WORDS =
  'malware|ransomware|backdoor|trojans?|rat|loader|stealer|infostealer|botnet|wiper|worm|implant|dropper|downloader|rootkit|bootkit|spyware|payloads?|beacons?|framework|c2|tool|toolkit|malware family|encryptor|variant|samples?|infections?|webshell|web shell';
export const ACTOR_WORDS =
  'group|gang|apt|actors?|threat actors?|threat group|hackers?|operators?|operations?|affiliates?|campaigns?|intrusion set|adversar(?:y|ies)|ransomware|raas|cluster|collective|crew|team|espionage';
