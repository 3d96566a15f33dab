/** Spanish words that say nothing about a subject. */
export const SPANISH_STOP_WORDS: readonly string[] =
  `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquellas aquello aquellos aquí así aun aún
   aunque cada como cómo con contra cual cuál cuales cuáles cualquier cuando cuándo cuanto cuánto de del desde donde
   dónde durante e el él ella ellas ello ellos en entre era eran eras eres es esa esas ese eso esos esta está estaba
   estaban estado están estar estas este esto estos estoy fue fueron ha había habían han has hasta hay haya he hemos
   la las le les lo los más me mi mí mía mías mientras mío míos mis misma mismas mismo mismos mucha muchas mucho muchos
   muy nada ni ningún ninguna ninguno no nos nosotras nosotros nuestra nuestras nuestro nuestros o os otra otras otro
   otros para pero poco por porque pues que qué quien quién quienes se sea sean según ser será si sí sido sin sino sobre
   son soy su sus suya suyas suyo suyos también tampoco tan tanto te ti tiene tienen toda todas todo todos tu tú tus
   tuya tuyas tuyo tuyos u un una unas uno unos vosotras vosotros vuestra vuestras vuestro vuestros y ya yo`.split(
    /\s+/,
  );
